import type { Repository } from "@skein/git";
import { resolveCommit } from "@skein/git";
import type { Commit } from "./comparison.js";

/** Which commits are asked for. */
export interface CommitRange {
  /** Compare the commits up to this one. */
  readonly head: string;
  /** Compare only commits that this one doesn't have; undefined for no such end. */
  readonly base: string | undefined;
  /** At most so many; undefined for all of the range. */
  readonly last: number | undefined;
}

/**
 * Lists first-parent commits, the newest first. A commit without a parent is left out: there is nothing to compare it
 * with, and a shallow clone ends in one.
 * @throws {RepositoryError} `unknown-ref`
 */
export async function readCommits(
  { git }: Pick<Repository, "git">,
  { head, base, last }: CommitRange,
): Promise<readonly Commit[]> {
  const to = await resolveCommit(git, head);
  const from = base === undefined ? [] : [await resolveCommit(git, base)];
  const { stdout } = await git.run([
    "log",
    "--first-parent",
    "--no-show-signature",
    "--no-notes",
    "-z",
    "--format=%H%x00%P%x00%s",
    ...(last === undefined ? [] : [`--max-count=${last}`]),
    to,
    ...from.map((commit) => `^${commit}`),
    "--",
  ]);
  const words = stdout.toString("utf8").split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [commit = "", parents = "", subject = ""] = words.slice(at, at + 3);
    const [parent = ""] = parents.split(" ");
    if (parent !== "") commits.push({ commit, parent, subject });
  }
  return commits;
}
