import { makeCommit, type Committer } from "../history/make-commit.js";
import type { StepPlan } from "../migration.js";
import { mergeTrees, withoutSettled } from "../work/merge.js";
import type { FetchedNews } from "./fetch-news.js";
import { followUps } from "./follow-ups.js";
import type { GraftedNews } from "./graft-news.js";
import type { SyncRequest } from "./sync-request.js";

/** The merge of the new commits into the target's branch. */
export interface MergedNews {
  /** The merge commit; the branch's commit if there is nothing to merge, or if there are conflicts. */
  readonly newHead: string;
  readonly conflicts: readonly string[];
  /** The work that the merge leaves to people. */
  readonly followUps: readonly StepPlan[];
  readonly message: string;
}

/** Merges in the quarantine, without a working tree. @param head the branch's commit */
export async function mergeNews(
  { world, target, quarantine, stored }: SyncRequest,
  { tip, upToDate }: FetchedNews,
  { newTip }: GraftedNews,
  committer: Committer,
  head: string,
): Promise<MergedNews> {
  const { record } = stored;
  const { git } = quarantine;
  world.progress.phase("merge");
  const sourceName = record.source.slug ?? record.name;
  const where = record.placements.map(({ to }) => to).join(", ");
  const message = `Sync ${where} with ${sourceName}\n\nMigrated-Package: ${record.name}\nMigrated-From: ${sourceName}@${tip}\nMigrated-To: ${newTip}\n`;
  if (upToDate) return { newHead: head, conflicts: [], followUps: [], message };
  const merged = await mergeTrees(git, head, newTip);
  const conflicts = merged.conflicts.filter(
    (path) => !record.removed.includes(path),
  );
  const tree = await withoutSettled(quarantine, merged, record.removed);
  const left = await followUps(quarantine, target, record, [head, tree], tip);
  const newHead =
    conflicts.length > 0
      ? head
      : await makeCommit(git, committer, {
          tree,
          parents: [head, newTip],
          message,
        });
  return { newHead, conflicts, followUps: left, message };
}
