import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { RepositoryError } from "./errors.js";

/** How one git command ended: its bytes, its words and its exit code. */
export interface GitResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface GitRunOptions {
  /** Bytes for the command's standard input. */
  readonly input?: string | Buffer;
  /** Exit codes that are answers rather than failures (`git merge-base` says "none" with 1). Default: only 0. */
  readonly answers?: readonly number[];
  /** Variables for this command only. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * That it changes nothing, and what git says besides the answer matters only where it fails: it is then asked again to
   * hear it. One pipe less is a tenth of a start.
   */
  readonly isQuestion?: boolean;
}

/** Git in one folder. A port: everything in Skein that wants git takes one of these. */
export interface Git {
  /** The folder git runs in; absolute. */
  readonly cwd: string;
  /** The environment git gets, already neutralised. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends whatever runs. */
  readonly signal?: AbortSignal;
  /**
   * Runs one git command to its end.
   * @throws {GitError} when it ends with an exit code that is not among `answers`, or cannot be started
   * @throws {RepositoryError} `git-not-installed`, `no-such-folder`
   * @throws the signal's reason when it was aborted
   */
  run(args: readonly string[], options?: GitRunOptions): Promise<GitResult>;
}

/** Git ran and failed, or could not be started. Carries what it was asked and what it said. */
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

/** Opens git in a folder. Nothing is run until it is asked. */
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

/** Variables that change what git prints or does behind a caller's back. */
const MEDDLING = [
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_PAGER",
  "GIT_TRACE",
  "GIT_TRACE_SETUP",
  "GIT_TRACE_PERFORMANCE",
];

/** Returns the caller's environment without what would change git's output, and with what keeps git quiet and unattended. */
function neutralEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const neutral: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !MEDDLING.includes(name)) neutral[name] = value;
  }
  return {
    ...neutral,
    LC_ALL: "C", // Messages that we quote are then the same everywhere.
    GIT_TERMINAL_PROMPT: "0", // A question that nobody sees would hang CI for ever.
    GIT_OPTIONAL_LOCKS: "0", // `git status` must not write the index: a reader leaves the repository as it was.
    GIT_LITERAL_PATHSPECS: "1", // A file called `:(top)*` is a file.
  };
}

/**
 * For every command. Whatever reads the index asks the file system monitor: a wrong one hides changes, and one that is a
 * hook is a program of the user's. Whatever writes runs hooks: `reference-transaction` with each ref that moves,
 * `post-index-change` with each index. Skein asks the disk itself and runs no hook of anybody.
 */
export const ALWAYS: readonly string[] = [
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
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
      // A pipe that nobody writes to costs a tenth of the start.
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
      // A program that could not be started is closed, too; asking it again would fail again, and nobody would hear.
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
    // Git may end before it has read everything (a usage error): the broken pipe is not news, the exit code is.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input);
  });
}

/** Returns what a failed start means: no git, no such folder, or what the system says. */
export function notStarted(
  error: NodeJS.ErrnoException,
  args: readonly string[],
  { cwd, signal }: Pick<Git, "cwd" | "signal">,
): Error {
  if (signal?.aborted && signal.reason instanceof Error) return signal.reason;
  // The system says ENOENT of a missing program and of a missing folder alike.
  if (error.code === "ENOENT") {
    return new RepositoryError(
      existsSync(cwd)
        ? { kind: "git-not-installed" }
        : { kind: "no-such-folder", cwd },
      { cause: error },
    );
  }
  return new GitError(args, undefined, error.message);
}
