import type { Git } from "@skein/git";
import type { CommitMap } from "../history/commit-map.js";
import type { HistoryFigures } from "../migration.js";
import type { MigrationRecord } from "../record/record.js";
import { presentObjects } from "../survey/commits.js";

/**
 * Counts what a migration and its syncs brought, all together: commits, merges and authors. The rest (signatures, messages
 * that were qualified) stays as the first migration reported it.
 * @param map old to new commits, this sync's among them
 * @param tip the source's branch, as it is now
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
          // A branch that was rewritten at the source, or deleted here, may have taken its own with it.
          await presentObjects(git, "commit", newCommits(map)),
          ["--no-walk=unsorted"],
        )
      : await people(git, [
          tip,
          // Where the source rewrote its history, what came before is here all the same.
          ...(await presentObjects(git, "commit", [before.old])),
        ]);
  const authors = new Set(lines.map(({ author }) => author)).size;
  // Each is one commit that stands for all.
  if (history === "squash")
    return { ...figures, commits: newCommits(map).length, authors };
  const merges = lines.filter(({ parents }) => parents.length > 1).length;
  return { ...figures, commits: lines.length, merges, authors };
}

/** Each once: several old ones may have become one. */
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
    .filter((line) => line !== "")
    .map((line) => {
      const [parents = "", author = ""] = line.split("\0");
      return { parents: parents.split(" ").filter(Boolean), author };
    });
}
