import { join } from "node:path";
import { canBeRef, DIFF_RAW_ARGS, parseDiffRaw } from "@skein/git";
import type { Repository } from "@skein/git";
import type { Change } from "./changeset.js";

/** What differs between two commits, by their ids. */
export async function readDiff(
  repository: Repository,
  from: string,
  to: string,
): Promise<Change[]> {
  if (from === to) return [];
  const { stdout } = await diff(repository, [from, to], [0]);
  return committed(stdout);
}

/**
 * What differs between the merge base of two commits and the second: asked for beside the question what that merge
 * base is, so that a round is saved. Only to be believed where `base` turns out to name a commit.
 * @param base a ref that may not exist; never an option
 * @returns undefined where there is no answer: no such ref, no merge base, several, or a git older than 2.30
 */
export async function guessDiff(
  repository: Repository,
  base: string,
  head: string,
): Promise<Change[] | undefined> {
  if (!canBeRef(base)) return undefined;
  const ask = ["--merge-base", "--end-of-options", base, head, "--"];
  const { stdout, exitCode } = await diff(repository, ask, [0, 128, 129]);
  return exitCode === 0 ? committed(stdout) : undefined;
}

function diff(
  { git, gitDir }: Repository,
  args: readonly string[],
  answers: readonly number[],
) {
  // diff-tree reads the index, for attributes that raw output has no use for: 10 ms of 50,000 files. Here there is none.
  const env = { GIT_INDEX_FILE: join(gitDir, "index-that-is-not-there") };
  return git.run([...DIFF_RAW_ARGS, ...args], { answers, env });
}

function committed(stdout: Buffer): Change[] {
  return parseDiffRaw(stdout).map((entry) => ({
    ...entry,
    origin: "committed" as const,
  }));
}
