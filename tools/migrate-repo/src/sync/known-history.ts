import type { Git } from "@skein/git";
import type { StoredRecord } from "../record/record.js";
import { presentObjects } from "../survey/commits.js";
import { commitMap, type CommitMap } from "../history/commit-map.js";

/** The commits that earlier runs have mapped, and the old tips whose histories these cover. */
export interface KnownHistory {
  readonly known: CommitMap;
  readonly exclude: readonly string[];
  /** Those of the record's tips that became something that is still there, or nothing. */
  readonly living: readonly string[];
}

/**
 * Finds the commits that need not be rewritten again. If a branch was deleted and git has pruned its commits, that is
 * nothing: all of it is rewritten, to the same ids, and no new commit names a parent that is gone. (What a tip leads to
 * is there while the tip is: git prunes nothing that something unpruned names.)
 * @param present those of the record's tips that are there
 */
export async function knownHistory(
  git: Git,
  { record, map }: StoredRecord,
  present: readonly string[],
): Promise<KnownHistory> {
  const became = new Map(record.tips.map((tip) => [tip, map.get(tip)]));
  const ids = [...became.values()].filter((id) => id !== undefined);
  const there = new Set(await presentObjects(git, "commit", ids));
  const living = record.tips.filter((tip) => {
    const id = became.get(tip);
    return id === undefined || there.has(id);
  });
  return living.length === record.tips.length
    ? { known: map, exclude: present, living }
    : { known: commitMap([]), exclude: [], living };
}
