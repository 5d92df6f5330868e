import type { Dependency } from "../manifest/manifest.js";
import type { LockState } from "../project.js";
import type { LockDependency, LockEntry } from "./lockfile.js";
import { identOf, workspaceDirOf } from "./lockfile.js";
import { openResolver } from "./resolver.js";

/** An entry, and the dependencies that were added to it. */
interface Added {
  readonly words: string;
  readonly entry: LockEntry;
}

/** The last result for each entry, so that two lockfiles still share their equal entries. */
const lastAdded = new WeakMap<LockEntry, Added>();

/**
 * Adds the peers of external packages that the root provides: `ts-jest` loads the root's `typescript` unless its dependents have
 * one of their own. Optional peers count, too, because the package loads them if they are there. Only type checkers load peers in
 * `@types`, and they find the root's anyway.
 * @param dependencies those of the root's manifest
 * @returns a lockfile in which such peers are dependencies; the same object if there are none
 */
export function withPeersOfRoot(
  state: LockState,
  dependencies: readonly Dependency[],
): LockState {
  const provided = new Map(
    dependencies
      .filter(
        ({ ident, field }) =>
          field !== "peerDependencies" && !ident.startsWith("@types/"),
      )
      .map(({ ident, range }) => [ident, range]),
  );
  const { entries } = state.lockfile;
  const peersOf = ({ peerDependencies, resolution }: LockEntry) =>
    workspaceDirOf(resolution) === undefined
      ? peerDependencies.filter(([ident]) => provided.has(ident))
      : [];
  const users = usersOf(entries, (entry) => peersOf(entry).length > 0);
  const completed = entries.map((entry) => {
    const own = new Set(entry.dependencies.map(([ident]) => ident));
    const parents = entry.descriptors.flatMap(
      (descriptor) => users.get(identOf(descriptor)) ?? [],
    );
    const missing = peersOf(entry)
      .filter(
        ([ident]) =>
          !own.has(ident) && !parents.every((user) => provides(user, ident)),
      )
      .map(([ident]): LockDependency => [ident, provided.get(ident) ?? ""]);
    return missing.length === 0 ? entry : withDependencies(entry, missing);
  });
  if (completed.every((entry, at) => entry === entries[at])) return state;
  const lockfile = { ...state.lockfile, entries: completed };
  return { ...state, lockfile, resolver: openResolver(lockfile, state) };
}

/** Returns the entries that depend on some entries, by the ident of these. */
function usersOf(
  entries: readonly LockEntry[],
  isWanted: (entry: LockEntry) => boolean,
): ReadonlyMap<string, readonly LockEntry[]> {
  const users = new Map<string, LockEntry[]>();
  for (const entry of entries)
    if (isWanted(entry))
      for (const descriptor of entry.descriptors)
        users.set(identOf(descriptor), []);
  for (const entry of entries)
    for (const [ident] of entry.dependencies) users.get(ident)?.push(entry);
  return users;
}

/** Returns whether a package, other than the root, gives a peer to those that it depends on. */
function provides(user: LockEntry, peer: string): boolean {
  const dir = workspaceDirOf(user.resolution);
  if (dir === ".") return false;
  const given =
    dir === undefined
      ? [...user.dependencies, ...user.peerDependencies]
      : user.dependencies;
  return given.some(([ident]) => ident === peer);
}

function withDependencies(
  entry: LockEntry,
  more: readonly LockDependency[],
): LockEntry {
  const words = more.join("\n");
  const known = lastAdded.get(entry);
  if (known?.words === words) return known.entry;
  const added = {
    words,
    entry: { ...entry, dependencies: [...entry.dependencies, ...more] },
  };
  lastAdded.set(entry, added);
  return added.entry;
}
