import { join } from "node:path";
import { DIFF_RAW_ARGS, parseDiffRaw } from "./diff-raw.js";
import type { DiffEntry } from "./diff-raw.js";
import type { Git } from "./git.js";
import type { KeptAnswers } from "./kept-answers.js";
import { isObjectId } from "./refs.js";
import { streamGit, withEnv } from "./stream.js";

/**
 * A long-lived `git diff-tree --stdin`, or a cached answer. The process starts before it is known which commits to
 * compare.
 */
export interface DiffReader {
  /**
   * Lists the differences between two commits. Calls may overlap; answers arrive in the order of the calls.
   * @param from, to full ids of commits that are in the clone
   * @throws {GitError} if git ends before it has answered
   */
  read(from: string, to: string): Promise<DiffEntry[]>;
  /** Ends the process. Callers must always call it. */
  close(): void;
}

/** A line that isn't an id. Git repeats it, which marks the end of an answer (`diff-tree --stdin` since git 1.4). */
const END = "end\n";

export interface DiffsOptions {
  /** Git's cached answers. */
  readonly answers?: KeptAnswers | undefined;
  /** Whether a question is likely. Default: true. */
  readonly isLikely?: boolean;
}

/**
 * Opens a reader of differences in this repository. If no answers are cached and a question is likely, its process
 * starts at once.
 * @param gitDir the repository's git folder, absolute
 */
export function openDiffs(
  git: Git,
  gitDir: string,
  { answers, isLikely = true }: DiffsOptions = {},
): DiffReader {
  let process = answers?.isKept || !isLikely ? undefined : start(git, gitDir);
  return {
    async read(from, to) {
      const question = [...DIFF_RAW_ARGS, from, to];
      const kept = answers?.get(question);
      if (kept) return parseDiffRaw(kept);
      process ??= start(git, gitDir);
      const bytes = await process.ask(from, to);
      answers?.put(question, bytes);
      return parseDiffRaw(bytes);
    },
    close() {
      process?.close();
    },
  };
}

interface Process {
  ask(from: string, to: string): Promise<Buffer>;
  close(): void;
}

function start(git: Git, gitDir: string): Process {
  const child = streamGit(withEnv(git, withoutIndex(gitDir)), [
    ...DIFF_RAW_ARGS,
    "--always", // Git then also answers for two commits with the same content, with the second one's id only.
    "--stdin",
  ]);
  const waiting: ((bytes: Buffer) => void)[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      seen = skipEntries(rest, seen);
      const isWhole = seen > 0 && rest[seen] !== COLON;
      if (!isWhole || rest.length < seen + END.length) return;
      const answer = rest.subarray(0, seen);
      rest = rest.subarray(seen + END.length);
      seen = 0;
      waiting.shift()?.(answer);
    }
  });
  return {
    ask(from, to) {
      if (!isObjectId(from) || !isObjectId(to))
        return Promise.reject(new Error("only commits by their ids"));
      const answer = new Promise<Buffer>((resolve) => waiting.push(resolve));
      // Git treats the second id in the line as the parent of the first.
      child.stdin.write(`${to} ${from}\n${END}`);
      const early = child.done.then((): never => {
        throw new Error("git diff-tree --stdin ended early");
      });
      return Promise.race([answer, early]).then((bytes) => {
        const header = `${to}\0`;
        if (bytes.toString("latin1", 0, header.length) !== header)
          throw new Error("git diff-tree --stdin answered something else");
        return bytes.subarray(header.length);
      });
    },
    close() {
      child.stdin.end();
    },
  };
}

/**
 * Names an index that doesn't exist. diff-tree reads the index for attributes, which raw output doesn't use. That takes
 * 10 ms for 50,000 files.
 */
export function withoutIndex(gitDir: string): Record<string, string> {
  return { GIT_INDEX_FILE: join(gitDir, "index-that-is-not-there") };
}

const COLON = 58;

/**
 * Skips the part of an answer that has arrived: the commit, then entries of two fields each. It doesn't search for the
 * end marker, because a file may have the same name.
 * @param from the start of a field
 * @returns the start of the next field that is incomplete or isn't an entry
 */
function skipEntries(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    if (at > 0 && bytes[at] !== COLON) return at;
    const first = bytes.indexOf(0, at);
    const last = at === 0 ? first : bytes.indexOf(0, first + 1);
    if (first < 0 || last < 0) return at;
    at = last + 1;
  }
}
