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

/** The entries of a landing's indexes, and how the index changes when the landing is rolled back. */
export interface BackChanges {
  /** The entries. If the index goes forward, `now` is the index after the changes. */
  readonly entries: AllEntries;
  readonly changes: IndexChanges;
}

/**
 * Returns how the index changes when a landing is rolled back. The index goes back if the landing's branch is checked
 * out. Another branch may hold the new commit, because git creates and renames branches while the index is locked. If
 * the landing has not written the index yet, the index then goes forward to that commit: otherwise the user's next
 * commit would remove the landing's files.
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
 * Changes the locked index.
 * @param isWhole whether the index is exactly as the landing wrote it; the old index then replaces it byte for byte
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
