import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { RepositoryError } from "./errors.js";

/** The result of one git command. */
export interface GitResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface GitRunOptions {
  /** The bytes for the command's standard input. */
  readonly input?: string | Buffer;
  /**
   * Exit codes that are answers rather than failures: `git merge-base` exits with 1 if there is none. Default: only 0.
   */
  readonly answers?: readonly number[];
  /** Environment variables for this command only. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Whether the command changes nothing and its stderr matters only on failure. Git then gets no pipe for stderr, which
   * saves a tenth of its start. If the command fails, it is run again with the pipe, to get the message.
   */
  readonly isQuestion?: boolean;
}

/** Git in one folder. This is a port: all code in Skein that needs git takes one. */
export interface Git {
  /** The folder in which git runs; absolute. */
  readonly cwd: string;
  /** The environment of git, already neutralised. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborts running commands. */
  readonly signal?: AbortSignal;
  /**
   * Runs one git command and waits for its end.
   * @throws {GitError} if its exit code is not among `answers`, or it cannot be started
   * @throws {RepositoryError} `git-not-installed`, `no-such-folder`
   * @throws the signal's reason if it was aborted
   */
  run(args: readonly string[], options?: GitRunOptions): Promise<GitResult>;
}

/** Git failed, or could not be started. The error contains git's arguments and its stderr. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly args: readonly string[];
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(
    args: readonly string[],
    exitCode: number | undefined,
    stderr: string,
  ) {
    super(
      `git ${args.join(" ")} failed (${exitCode ?? "not started"}): ${stderr.trim()}`,
    );
    this.args = args;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface OpenGitOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** Opens git in a folder. It starts no process before the first command. */
export function openGit({ cwd, env, signal }: OpenGitOptions): Git {
  const neutral = neutralEnv(env);
  return {
    cwd,
    env: neutral,
    ...(signal && { signal }),
    run: (args, options = {}) =>
      runGit(args, { cwd, env: neutral, ...(signal && { signal }) }, options),
  };
}

/** Variables that change git's output or behaviour. */
const MEDDLING =
  `GIT_EXTERNAL_DIFF GIT_DIFF_OPTS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS
  GIT_PAGER GIT_TRACE GIT_TRACE_SETUP GIT_TRACE_PERFORMANCE`.split(/\s+/);

/**
 * Returns the caller's environment without variables that would change git's output, and with those that keep git quiet
 * and non-interactive.
 */
function neutralEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const neutral: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !MEDDLING.includes(name)) neutral[name] = value;
  }
  return {
    ...neutral,
    LC_ALL: "C", // The messages that we quote are then the same on every machine.
    GIT_TERMINAL_PROMPT: "0", // A prompt would make CI hang for ever.
    GIT_OPTIONAL_LOCKS: "0", // `git status` must not write the index: reading leaves the repository unchanged.
    GIT_LITERAL_PATHSPECS: "1", // `:(top)*` is then the name of a file.
  };
}

/**
 * Options for every command. Commands that read the index ask the file system monitor. A faulty monitor hides changes,
 * and a monitor that is a hook is a program of the user's. Commands that write run hooks: `reference-transaction` for
 * each ref that moves, `post-index-change` for each index. With these options git checks the disk itself and runs no
 * hooks. It also compares all times of a file: a program can set the one that remains without them.
 */
export const ALWAYS: readonly string[] = [
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.trustctime=true"],
  ...["-c", "core.checkStat=default"],
];

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly signal?: AbortSignal;
}

function runGit(
  args: readonly string[],
  place: Place,
  options: GitRunOptions,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...ALWAYS, ...args], {
      ...place,
      env: { ...place.env, ...options.env },
      // An unused pipe costs a tenth of the start.
      stdio: [
        options.input === undefined ? "ignore" : "pipe",
        "pipe",
        options.isQuestion ? "ignore" : "pipe",
      ],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    let failed = false;
    child.on("error", (error) => {
      failed = true;
      reject(notStarted(error, args, place));
    });
    child.on("close", (exitCode) => {
      // `close` also fires for a program that could not be started. A retry would fail too, and its error would be
      // lost.
      if (failed) return;
      const stderr = Buffer.concat(err).toString("utf8");
      if (exitCode === null || !(options.answers ?? [0]).includes(exitCode)) {
        if (options.isQuestion && exitCode !== null) {
          resolve(runGit(args, place, { ...options, isQuestion: false }));
          return;
        }
        reject(new GitError(args, exitCode ?? undefined, stderr));
        return;
      }
      resolve({ stdout: Buffer.concat(out), stderr, exitCode });
    });
    // Git may end before it has read all input, after a usage error for example. The exit code reports that; the broken
    // pipe doesn't matter.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input);
  });
}

/** Returns the error for a failed start: git isn't installed, the folder doesn't exist, or the system's message. */
export function notStarted(
  error: NodeJS.ErrnoException,
  args: readonly string[],
  { cwd, signal }: Pick<Git, "cwd" | "signal">,
): Error {
  if (signal?.aborted && signal.reason instanceof Error) return signal.reason;
  // The system reports ENOENT for both a missing program and a missing folder.
  if (error.code === "ENOENT") {
    return new RepositoryError(
      existsSync(cwd)
        ? { kind: "git-not-installed" }
        : { kind: "no-such-folder", cwd },
      { cause: error },
    );
  }
  // The caller's own files are affected as well, so this isn't a failure of git.
  if (error.code === "EMFILE" || error.code === "ENFILE") return error;
  return new GitError(args, undefined, error.message);
}
