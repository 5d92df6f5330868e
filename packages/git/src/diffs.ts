import { join } from "node:path";
import { DIFF_RAW_ARGS, parseDiffRaw, type DiffEntry } from "./diff-raw.js";
import { GitError, type Git } from "./git.js";
import type { KeptAnswers } from "./kept/kept-answers.js";
import { isObjectId } from "./refs.js";
import { streamGit, withEnv } from "./stream.js";

/**
 * A long-lived `git diff-tree --stdin`, or a cached answer. The process starts before it is known which commits to
 * compare.
 */
export interface DiffReader {
  /**
   * Lists the differences between two commits or two trees. Calls may overlap; answers arrive in the order of the calls.
   * @param from, to full ids of commits that are in the clone, or of trees
   * @throws {GitError} if git ends before it has answered, or lacks a tree
   */
  read(
    from: string,
    to: string,
    type?: "commits" | "trees",
  ): Promise<DiffEntry[]>;
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
    async read(from, to, type = "commits") {
      const question = [...DIFF_RAW_ARGS, from, to];
      const kept = answers?.get(question);
      if (kept) return parseDiffRaw(kept);
      process ??= start(git, gitDir);
      const bytes = await process.ask(from, to, type);
      answers?.put(question, bytes);
      return parseDiffRaw(bytes);
    },
    close() {
      process?.close();
    },
  };
}

interface Process {
  ask(from: string, to: string, type: "commits" | "trees"): Promise<Buffer>;
  close(): void;
}

/** @property header the bytes with which git's answer begins */
interface Waiting {
  readonly header: Buffer;
  readonly resolve: (entries: Buffer) => void;
  readonly reject: (error: GitError) => void;
}

function start(git: Git, gitDir: string): Process {
  const args = [
    ...DIFF_RAW_ARGS,
    "--always", // Git then also answers for two commits with the same content, with the second one's id only.
    "--stdin",
  ];
  const child = streamGit(withEnv(git, withoutIndex(gitDir)), args);
  const waiting: Waiting[] = [];
  let rest: Buffer = Buffer.alloc(0);
  /** The number of bytes of the first answer that are known to be complete. */
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let first = waiting[0]; first; first = waiting[0]) {
      const { header, resolve, reject } = first;
      const isMissing = rest.toString("latin1", 0, END.length) === END;
      const start = isMissing ? 0 : header.length;
      seen = isMissing ? 0 : skipEntries(rest, Math.max(seen, start));
      if (rest.length < seen + END.length || rest[seen] === COLON) return;
      const answer = rest.subarray(start, seen);
      if (!isMissing && rest.subarray(0, start).equals(header)) resolve(answer);
      else reject(new GitError(args, undefined, "answered something else"));
      rest = rest.subarray(seen + END.length);
      seen = 0;
      waiting.shift();
    }
  });
  const ended = child.done.catch(() => undefined);
  return {
    ask(from, to, type) {
      if (!isObjectId(from) || !isObjectId(to))
        return Promise.reject(new Error("only commits and trees by their ids"));
      // Git treats the second commit in the line as the parent of the first.
      const isTrees = type === "trees";
      child.stdin.write(
        isTrees ? `${from} ${to}\n${END}` : `${to} ${from}\n${END}`,
      );
      const header = Buffer.from(isTrees ? `${from} ${to}\n` : `${to}\0`);
      return new Promise((resolve, reject) => {
        waiting.push({ header, resolve, reject });
        void ended.then(() =>
          reject(new GitError(args, undefined, "ended early")),
        );
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
 * Skips entries of two fields each that have arrived. It doesn't search for the end marker, because a file may have the same
 * name.
 * @param from the start of a field
 * @returns the start of the next field that is incomplete or isn't an entry
 */
function skipEntries(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === COLON) {
    const first = bytes.indexOf(0, at);
    const last = first < 0 ? -1 : bytes.indexOf(0, first + 1);
    if (last < 0) return at;
    at = last + 1;
  }
  return at;
}
