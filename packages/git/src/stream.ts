import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { BatchParser, type GitObject } from "./objects/cat-file.js";
import { ALWAYS, GitError, notStarted, openGit, type Git } from "./git.js";
import { assertPipes } from "./has-pipes.js";

/** A git command whose input and output are streams, for data that doesn't fit in memory. */
export interface GitStream {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles when the command has ended; rejects with a `GitError` if it failed. Callers must always await it. */
  readonly done: Promise<void>;
  /** Kills the command; `done` then rejects. */
  kill(): void;
}

/**
 * Starts a git command and returns its pipes.
 * @throws {GitError} if the system has no pipes left
 */
export function streamGit(git: Git, args: readonly string[]): GitStream {
  const child = spawn("git", [...ALWAYS, ...args], {
    cwd: git.cwd,
    env: git.env,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  assertPipes(child, args);
  const stderr: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  // If a command ends early, its pipe breaks. Its exit code reports the problem.
  child.stdin.on("error", () => undefined);
  const done = new Promise<void>((resolve, reject) => {
    child.on("error", (error) => reject(notStarted(error, args, git)));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new GitError(
            args,
            code ?? undefined,
            Buffer.concat(stderr).toString("utf8"),
          ),
        );
    });
  });
  // Avoids an unhandled rejection before a caller awaits `done`.
  done.catch(() => undefined);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    done,
    kill: () => child.kill("SIGKILL"),
  };
}

/** Writes with back-pressure: it waits while the pipe is full, so that memory use stays constant. */
export async function writeTo(
  stream: Writable,
  bytes: Buffer | string,
): Promise<void> {
  if (stream.write(bytes) || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stream.off("drain", go).off("close", go).off("error", go);
      resolve();
    };
    stream.on("drain", go).on("close", go).on("error", go);
  });
}

/**
 * Streams objects in the order in which `rev-list`, or any git command that prints one object name per line, lists
 * them. It pipes the names into one `cat-file --batch --buffer`.
 * @returns batches of objects; undefined for a missing object
 */
export async function* streamObjects(
  git: Git,
  listArgs: readonly string[],
  listInput?: string,
): AsyncGenerator<readonly (GitObject | undefined)[]> {
  const list = streamGit(git, listArgs);
  list.stdin.end(listInput);
  try {
    yield* streamNamed(git, (stdin) => list.stdout.pipe(stdin));
    await list.done;
  } finally {
    list.kill();
  }
}

/**
 * Streams objects with one `cat-file --batch --buffer`.
 * @param write writes the names, one per line, and ends the stream
 * @returns batches, as `streamObjects` does
 */
export async function* streamNamed(
  git: Git,
  write: (stdin: Writable) => void,
): AsyncGenerator<readonly (GitObject | undefined)[]> {
  const cat = streamGit(git, ["cat-file", "--batch", "--buffer"]);
  write(cat.stdin);
  let batch: (GitObject | undefined)[] = [];
  const parser = new BatchParser((object) => batch.push(object));
  try {
    for await (const chunk of cat.stdout) {
      parser.push(chunk as Buffer);
      if (batch.length === 0) continue;
      const ready = batch;
      batch = [];
      yield ready;
    }
    await cat.done;
  } finally {
    cat.kill();
  }
}

/** Yields the parts of a stream that end in `separator` (a byte), as text. The last part may lack it. */
export async function* splitStream(
  stream: Readable,
  separator: number,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const some of stream) {
    const chunk = some as Buffer;
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(separator, start);
      if (end < 0) break;
      // Only a part that spans chunks is joined.
      yield start === 0 && rest.length > 0
        ? Buffer.concat([rest, chunk.subarray(0, end)]).toString()
        : chunk.toString("utf8", start, end);
      start = end + 1;
    }
    const left = chunk.subarray(start);
    rest = start === 0 ? Buffer.concat([rest, left]) : left;
  }
  if (rest.length > 0) yield rest.toString();
}

/**
 * Returns the same git with additional environment variables: another index, another object directory, settings for one
 * command.
 */
export function withEnv(
  git: Git,
  env: Readonly<Record<string, string | undefined>>,
  cwd = git.cwd,
): Git {
  return openGit({ cwd, env: { ...git.env, ...env } });
}

/**
 * Returns settings for every command in this environment and for its children, without changing a config file or an
 * argument list (`git help git`, GIT_CONFIG_COUNT). They override every file.
 */
export function configEnv(
  env: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  let count = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const more: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    more[`GIT_CONFIG_KEY_${count}`] = key;
    more[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  return { ...more, GIT_CONFIG_COUNT: String(count) };
}

/**
 * Variables that make git use another repository than that of its folder. A hook that runs Skein has all of them set.
 */
const REPOSITORY_VARIABLES =
  `GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
  GIT_COMMON_DIR GIT_NAMESPACE GIT_PREFIX GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_REPLACE_REF_BASE
  GIT_QUARANTINE_PATH`.split(/\s+/);

/** Returns an environment in which git finds the repository by its folder only. */
export function withoutRepository(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !REPOSITORY_VARIABLES.includes(name),
    ),
  );
}
