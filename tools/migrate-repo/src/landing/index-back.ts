import type { Git } from "@skein/git";
import {
  changedEntries,
  changesBack,
  changesForward,
  type AllEntries,
  type IndexChanges,
} from "./index-changes.js";
import { changedIndex, readAll, readHead, replaceIndex } from "./index-file.js";
import type { Landing } from "./journal.js";

/** The entries of a landing's indexes, and how the index changes when the landing is taken back. */
export interface BackChanges {
  /** The entries; `now` is the index after the changes where it goes forward. */
  readonly entries: AllEntries;
  readonly changes: IndexChanges;
}

/**
 * Reads how the index changes when a landing is taken back. It goes back where the landing's branch is checked out.
 * Another branch may hold the new commit, because git creates and renames branches while the index is locked. An index
 * that the landing has not written yet then goes forward to that commit: else the next commit of the user would remove
 * the files of the landing.
 * @param isOurs whether the landing's branch is checked out, and goes back
 */
export async function readChanges(
  git: Git,
  landing: Landing,
  isOurs: boolean,
): Promise<BackChanges> {
  const entries = await readAll(git, landing);
  if (isOurs) return { entries, changes: changesBack(entries) };
  const changes = changesForward(entries, await readHead(git, landing));
  const now = changedEntries(entries.now, changes);
  return { entries: { ...entries, now }, changes };
}

/**
 * Changes the index, which is locked.
 * @param isWhole whether it is as the landing wrote it, and goes back bit by bit
 */
export async function changeIndex(
  git: Git,
  landing: Landing,
  isWhole: boolean,
  changes: IndexChanges,
): Promise<void> {
  const { index } = landing;
  if (isWhole) await replaceIndex(index, index.before);
  else if (changes.size > 0)
    await replaceIndex(index, await changedIndex(git, landing, changes));
}
