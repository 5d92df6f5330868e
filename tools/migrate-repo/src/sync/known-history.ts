import type { Git } from "@skein/git";
import type { StoredRecord } from "../record/record.js";
import { presentObjects } from "../survey/commits.js";
import { commitMap, type CommitMap } from "../history/commit-map.js";

/** The commits that earlier runs have mapped, and the old tips whose histories the map covers. */
export interface KnownHistory {
  readonly known: CommitMap;
  readonly exclude: readonly string[];
  /** The record's tips whose new commit still exists, or that have none. */
  readonly living: readonly string[];
}

/**
 * Finds the commits that don't have to be rewritten again. If a branch was deleted and git has pruned its commits,
 * there are none: all commits are rewritten, to the same ids, so that no new commit names a missing parent. (While a
 * tip exists, so do all commits that it reaches: git prunes nothing that an existing object refers to.)
 * @param present the record's tips that exist
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
