import { identOf, type LockEntry, type Lockfile } from "@skein/workspaces";
import { type Member } from "@skein/versions";
import type { Usage } from "./align.js";
import { npmVersion } from "./own-lock/npm-version.js";
import { openPeerGraph, type Need, type PeerGraph } from "./peer-graph.js";
import { chooseRange, type ChosenRange, type Had } from "./peer-range.js";

/** A package that a newcomer's dependencies require as a peer and that no package provides. */
export interface MissingPeer extends ChosenRange {
  readonly member: Member;
  readonly ident: string;
  readonly field: "dependencies" | "devDependencies";
  /** The locator of the package that requires the peer; the first one if there are several. */
  readonly asker: string;
  /**
   * The package that depends on the first of them and doesn't provide the peer; undefined if that is the newcomer
   * itself.
   */
  readonly heldBy: string | undefined;
}

export interface PeerFacts {
  /** The yarn.lock that Yarn wrote with the newcomers in the workspace. */
  readonly lock: Lockfile;
  readonly newcomers: readonly Member[];
  /** Returns the version that the name resolved to in the source; undefined if the package had no lockfile. */
  readonly hoisted: ((ident: string) => string | undefined) | undefined;
  readonly workspaceRange: (
    ident: string,
  ) => Pick<Usage, "range" | "catalog"> | undefined;
}

/**
 * Finds peers that npm 7 and newer, and pnpm with `auto-install-peers`, install automatically, but Yarn doesn't. They
 * aren't optional, and the dependent neither has them nor declares them as its own peers (docs.npmjs.com,
 * "package.json", peerDependencies). A peer that the own lockfile doesn't hold was missing in the source, too.
 */
export function findMissingPeers(facts: PeerFacts): readonly MissingPeer[] {
  const graph = openPeerGraph(facts.lock);
  const workspaceHas = (ident: string): Had | undefined => {
    const used = facts.workspaceRange(ident);
    if (used === undefined) return undefined;
    const [entry, ...more] = graph.resolve(ident, used.range);
    return {
      written: used.catalog ?? used.range,
      meant: used.range,
      version:
        entry && more.length === 0 ? npmVersion(entry.resolution) : undefined,
    };
  };
  return facts.newcomers.flatMap((member) => {
    const has = new Set(
      member.dependencies.flatMap(({ ident, field }) =>
        field === "peerDependencies" ? [] : [ident],
      ),
    );
    const shipped = askedFor(graph, member, has, (field) =>
      /^(?:dependencies|optionalDependencies)$/.test(field),
    );
    const all = askedFor(graph, member, has, () => true);
    const below = facts.hoisted ? undefined : versionsBelow(graph, member);
    return [...all].sort(byIdent).flatMap(([ident, { needs, heldBy }]) => {
      const home = facts.hoisted?.(ident);
      if (facts.hoisted && home === undefined) return [];
      const isPeer = member.dependencies.some((one) => one.ident === ident);
      const [first] = needs;
      return first === undefined
        ? []
        : [
            {
              member,
              ident,
              field:
                shipped.has(ident) && !isPeer
                  ? ("dependencies" as const)
                  : ("devDependencies" as const),
              asker: first.asker,
              heldBy,
              ...chooseRange(
                needs.map(({ range }) => range),
                home,
                workspaceHas(ident),
                below?.get(ident) ?? [],
              ),
            },
          ];
    });
  });
}

/** Returns all versions of each package below a newcomer, by name. npm uses one of them for a peer if one fits. */
function versionsBelow(
  graph: PeerGraph,
  member: Member,
): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  const own = graph.workspace(member);
  const seen = new Set(own ? [own] : []);
  const open = [...seen];
  for (let entry = open.pop(); entry; entry = open.pop())
    for (const child of graph.children(entry)) {
      if (seen.has(child) || child.resolution.includes("@workspace:")) continue;
      seen.add(child);
      open.push(child);
      const version = npmVersion(child.resolution);
      const ident = identOf(child.resolution);
      if (version !== undefined)
        versions.set(ident, [...(versions.get(ident) ?? []), version]);
    }
  return versions;
}

interface Asked {
  readonly needs: readonly Need[];
  readonly heldBy: string | undefined;
}

/** Returns peers that no package provides, below those dependencies of a newcomer whose field is selected. */
function askedFor(
  graph: PeerGraph,
  member: Member,
  has: ReadonlySet<string>,
  takes: (field: string) => boolean,
): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>();
  const add = (ident: string, need: Need, heldBy: string | undefined) => {
    const known = asked.get(ident);
    asked.set(ident, {
      needs: [...(known?.needs ?? []), need],
      heldBy: known ? known.heldBy : heldBy,
    });
  };
  const own = graph.workspace(member);
  const wanted = own ? graph.needs(own) : new Map<string, Need>();
  if (own)
    for (const [ident, need] of wanted)
      if (!has.has(ident)) add(ident, need, undefined);
  const direct = member.dependencies.flatMap(({ ident, range, field }) =>
    field !== "peerDependencies" && takes(field)
      ? graph.resolve(ident, range)
      : [],
  );
  for (const entry of direct)
    for (const [ident, need] of graph.needs(entry))
      if (!has.has(ident) && ident !== member.name && !wanted.has(ident))
        add(ident, need, undefined);
  const seen = new Set(direct);
  const open = [...seen];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    // A workspace's own dependencies don't matter here.
    if (entry.resolution.includes("@workspace:")) continue;
    const given = givenBy(entry);
    for (const child of graph.children(entry)) {
      for (const [ident, need] of graph.needs(child))
        if (!given.has(ident) && !has.has(ident))
          add(ident, need, entry.resolution);
      if (seen.has(child)) continue;
      seen.add(child);
      open.push(child);
    }
  }
  return asked;
}

/** Returns the idents that a package provides: itself, its dependencies, and its own peers. */
function givenBy(entry: LockEntry): ReadonlySet<string> {
  return new Set([
    identOf(entry.resolution),
    ...entry.dependencies.map(([ident]) => ident),
    ...entry.peerDependencies.map(([ident]) => ident),
  ]);
}

function byIdent(
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown],
): number {
  return a < b ? -1 : 1;
}
