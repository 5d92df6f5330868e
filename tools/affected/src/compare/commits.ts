import { splitNul, resolveCommit, type Repository } from "@skein/git";
import type { Commit } from "./comparison.js";

/** The commits to compare. */
export interface CommitRange {
  /** Compare the commits up to this one. */
  readonly head: string;
  /** Compare only commits that this one doesn't have; undefined for no lower end. */
  readonly base: string | undefined;
  /** The maximum number of commits; undefined for the whole range. */
  readonly last: number | undefined;
}

/**
 * Lists first-parent commits, newest first. Commits without a parent are skipped, because there is nothing to compare
 * them with. A shallow clone ends in one.
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
  const words = splitNul(stdout);
  const commits: Commit[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [commit = "", parents = "", subject = ""] = words.slice(at, at + 3);
    const [parent = ""] = parents.split(" ");
    if (parent !== "") commits.push({ commit, parent, subject });
  }
  return commits;
}
