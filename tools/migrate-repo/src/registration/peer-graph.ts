import { byDescriptor, byIdent } from "./lock-index.js";
import type { LockEntry, Lockfile } from "@skein/workspaces";
import { type Member } from "@skein/versions";

/** The locator of a package that requires a peer, and the range. */
export interface Need {
  readonly asker: string;
  readonly range: string;
}

/** The dependencies in a lockfile, and the peers that they require. */
export interface PeerGraph {
  workspace(member: Member): LockEntry | undefined;
  resolve(ident: string, range: string): readonly LockEntry[];
  children(entry: LockEntry): readonly LockEntry[];
  /**
   * Returns peers that a dependent of an entry must provide. An optional peer counts if a dependency of the entry
   * requires it.
   */
  needs(entry: LockEntry): ReadonlyMap<string, Need>;
}

/** Creates the graph of a lockfile. */
export function openPeerGraph(lock: Lockfile): PeerGraph {
  const entries = byDescriptor(lock);
  const ofIdent = byIdent(lock);
  const resolve = (ident: string, range: string): readonly LockEntry[] => {
    const found =
      entries.get(`${ident}@${range}`) ?? entries.get(`${ident}@npm:${range}`);
    return found ? [found] : ofIdent(ident);
  };
  const children = (entry: LockEntry) =>
    entry.dependencies.flatMap(([ident, range]) => resolve(ident, range));
  const known = new Map<LockEntry, Map<string, Need>>();
  const needs = (entry: LockEntry): ReadonlyMap<string, Need> => {
    const before = known.get(entry);
    if (before) return before;
    const optional = optionalPeers(entry);
    const result = new Map(
      entry.peerDependencies
        .filter(([ident]) => !optional.has(ident))
        .map(([ident, range]) => [ident, { asker: entry.resolution, range }]),
    );
    // Set before the recursion into the children: dependencies have cycles.
    known.set(entry, result);
    if (optional.size > 0)
      for (const child of children(entry))
        for (const [ident, need] of needs(child))
          if (optional.has(ident)) result.set(ident, need);
    return result;
  };
  return {
    workspace: ({ name, dir }) =>
      lock.entries.find(
        ({ resolution }) => resolution === `${name}@workspace:${dir}`,
      ),
    resolve,
    children,
    needs,
  };
}

/** Returns idents in the `peerDependenciesMeta` of an entry that have `optional: true`. */
function optionalPeers({ text }: LockEntry): ReadonlySet<string> {
  const section = /^ {2}peerDependenciesMeta:\n((?: {4}.*\n?)*)/m.exec(text);
  return new Set(
    [
      ...(section?.[1] ?? "").matchAll(
        /^ {4}"?([^"\s:]+)"?:\n {6}optional: true$/gm,
      ),
    ].map(([, ident = ""]) => ident),
  );
}
