import type { Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import type { HistoryFigures } from "../migration.js";
import type { MigrationRecord } from "../record/record-format.js";
import { presentObjects } from "../survey/commits.js";

/**
 * Counts the commits, merges and authors of a migration and all its syncs. The other figures (signatures, qualified
 * messages) stay as the first migration reported them.
 * @param map old to new commits, including those of this sync
 * @param tip the current commit of the source's branch
 */
export async function figuresNow(
  git: Git,
  { history, receipt, tip: before }: MigrationRecord,
  map: CommitMap,
  tip: string,
): Promise<HistoryFigures> {
  const { figures } = receipt;
  const lines =
    history === "graft"
      ? await people(
          git,
          // Commits of a branch that was rewritten in the source, or deleted here, may no longer exist.
          await presentObjects(git, "commit", newCommits(map)),
          ["--no-walk=unsorted"],
        )
      : await people(git, [
          tip,
          // If the source rewrote its history, the earlier commits are still here.
          ...(await presentObjects(git, "commit", [before.old])),
        ]);
  const authors = new Set(lines.map(({ author }) => author)).size;
  // Each migration or sync is one commit.
  if (history === "squash")
    return { ...figures, commits: newCommits(map).length, authors };
  const merges = lines.filter(({ parents }) => parents.length > 1).length;
  return { ...figures, commits: lines.length, merges, authors };
}

/** Returns each new commit once: several old commits may have the same new one. */
export function newCommits(map: CommitMap): readonly string[] {
  const ids = new Set<string>();
  for (const { new: id } of map) if (id !== undefined) ids.add(id);
  return [...ids];
}

async function people(
  git: Git,
  tips: readonly string[],
  options: readonly string[] = [],
): Promise<
  readonly { readonly parents: readonly string[]; readonly author: string }[]
> {
  const { stdout } = await git.run(
    ["log", ...options, "--format=%P%x00%aN <%aE>", "--stdin"],
    { input: `${tips.join("\n")}\n` },
  );
  return stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [parents = "", author = ""] = line.split("\0");
      return { parents: parents.split(" ").filter(Boolean), author };
    });
}
