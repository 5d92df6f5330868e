import { join } from "node:path";
import { DIFF_RAW_ARGS, parseDiffRaw } from "./diff-raw.js";
import type { DiffEntry } from "./diff-raw.js";
import type { Git } from "./git.js";
import type { KeptAnswers } from "./kept-answers.js";
import { isObjectId } from "./refs.js";
import { streamGit, withEnv } from "./stream.js";

/** One long-lived `git diff-tree --stdin`: it is there before anybody knows which commits to compare, or its answer is. */
export interface DiffReader {
  /**
   * Lists the differences between two commits. Calls may overlap; answers come back in the order of the calls.
   * @param from, to full commit ids that are here
   * @throws {GitError} when git ends before it has answered
   */
  read(from: string, to: string): Promise<DiffEntry[]>;
  /** Ends the process; to be called always. */
  close(): void;
}

/** Not an id, so git says it again, which tells where an answer ends (`diff-tree --stdin` since git 1.4). */
const END = "end\n";

/**
 * Opens a reader of differences in this repository. Where nothing is kept, its process starts at once.
 * @param gitDir its git folder, absolute
 * @param answers what git answered before
 */
export function openDiffs(
  git: Git,
  gitDir: string,
  answers?: KeptAnswers,
): DiffReader {
  let process = answers?.isKept ? undefined : start(git, gitDir);
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
    "--always", // Two commits of the same content have an answer too: the second's id alone.
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
      // The second is the one whose "parent" the first is taken to be.
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

/** diff-tree reads the index, for attributes that raw output has no use for: 10 ms of 50,000 files. Here there is none. */
export function withoutIndex(gitDir: string): Record<string, string> {
  return { GIT_INDEX_FILE: join(gitDir, "index-that-is-not-there") };
}

const COLON = 58;

/**
 * Passes over what has come of one answer: the commit, then entries of two fields each. A file may be called like the
 * end, so nothing is searched for.
 * @param from where a field begins
 * @returns where the next field begins that is not whole, or is no entry
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
