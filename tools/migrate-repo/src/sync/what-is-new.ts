import { Failure, printable } from "@skein/reporting";
import type { SourceRef } from "../migration.js";
import { tagNamesOf, type StoredRecord } from "../record/record.js";
import type { Announcement } from "../survey/announcement.js";
import { checkedOut } from "../survey/checked-out.js";
import type { TargetFacts } from "../survey/target.js";
import { branchNews, type BranchNews } from "./branches.js";

/** The source's refs that aren't in the record. */
export interface News {
  /** Tags that aren't in the record. */
  readonly tags: readonly SourceRef[];
  /** Those of them on commits that are already here. */
  readonly tagsHere: readonly SourceRef[];
  /** Further branches. */
  readonly branches: BranchNews;
  /** Whether the main branch differs from the commit that was merged last. */
  readonly isMoved: boolean;
}

/** Returns whether a sync has something to do. */
export function isNews({ isMoved, tagsHere, branches }: News): boolean {
  return isMoved || tagsHere.length > 0 || branches.coming.length > 0;
}

/**
 * Compares a source's announced refs with the migrated ones.
 * @throws {Failure} if the branch no longer exists
 */
export async function whatIsNew(
  stored: StoredRecord,
  { branches, tags }: Announcement,
  target: TargetFacts,
): Promise<News> {
  const { record, map } = stored;
  const tip = branches.find(({ name }) => name === record.branch)?.id;
  if (tip === undefined)
    throw new Failure(
      `the source no longer has the branch ${printable(record.branch)}`,
      {
        hint: `it has: ${branches.map(({ name }) => printable(name)).join(", ")}; if it was renamed: migrate-repo sync ${record.name} --ref BRANCH`,
      },
    );
  const known = new Set(record.madeTags.map(({ from }) => from));
  const { chosen } = tagNamesOf(
    record,
    tags.map(({ name }) => name),
  );
  const fresh =
    record.tags === "none"
      ? []
      : tags.filter(
          ({ name }) => chosen.has(name) && !known.has(`refs/tags/${name}`),
        );
  const taken =
    record.branches.length === 0
      ? new Set<string>()
      : await checkedOut(target.git);
  return {
    tags: fresh,
    tagsHere: fresh.filter(({ id, peeled }) => isHere(peeled ?? id)),
    branches: branchNews(stored, branches, target.refs, taken),
    isMoved: tip !== record.tip.old,
  };

  /** Returns whether a commit is already here. For a dropped commit, the map has an entry without a new commit. */
  function isHere(id: string): boolean {
    return record.history === "move" ? map.has(id) : map.get(id) !== undefined;
  }
}
