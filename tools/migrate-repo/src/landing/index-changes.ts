import type { Entries } from "./index-file.js";

/** The content of three indexes: before a landing, as the landing writes it, and as it is now. */
export interface AllEntries {
  readonly before: Entries;
  readonly after: Entries;
  readonly now: Entries;
}

/** The new entry of each path; undefined removes the path from the index. */
export type IndexChanges = ReadonlyMap<string, string | undefined>;

/**
 * Returns the changes that make an index what a landing writes. Entries that the user has changed since stay.
 * @param head the files of the commit that is checked out, if it may not be the landing's commit. Only paths that this
 * commit holds as the landing writes them change. Default: every path.
 */
export function changesForward(
  { before, after, now }: AllEntries,
  head: Entries = after,
): IndexChanges {
  const changes = new Map<string, string | undefined>();
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(path), after.get(path)];
    if (old !== next && now.get(path) === old && head.get(path) === next)
      changes.set(path, next);
  }
  return changes;
}

/**
 * Returns the changes that restore an index to what it was before a landing. Entries that the user has changed since
 * stay.
 */
export function changesBack({ before, after, now }: AllEntries): IndexChanges {
  const changes = new Map<string, string | undefined>();
  for (const [path, entry] of now) {
    const old = before.get(path);
    if (entry === after.get(path) && entry !== old) changes.set(path, old);
  }
  for (const [path, old] of before)
    if (!now.has(path) && !after.has(path)) changes.set(path, old);
  return changes;
}

/** Returns the entries of an index after some changes. */
export function changedEntries(now: Entries, changes: IndexChanges): Entries {
  const entries = new Map(now);
  for (const [path, entry] of changes)
    if (entry === undefined) entries.delete(path);
    else entries.set(path, entry);
  return entries;
}
