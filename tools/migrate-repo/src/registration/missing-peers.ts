import { intersects, prerelease, satisfies, subset, validRange } from "semver";
import type { LockEntry, Lockfile } from "@skein/workspaces";
import { COMPARABLE, type Usage } from "./align.js";
import type { Member } from "./facts.js";
import { npmVersion } from "./own-lock/npm-version.js";

/** A package that a newcomer's dependencies have as a peer and that nobody gives them. */
export interface MissingPeer {
  readonly member: Member;
  readonly ident: string;
  readonly field: "dependencies" | "devDependencies";
  /** Who asks for it, by locator; the first by name. */
  readonly asker: string;
  /** Who has the asker as a dependency and does not hand the peer down; undefined where that is the newcomer itself. */
  readonly heldBy: string | undefined;
  /** Undefined where those who ask for it agree on no range. */
  readonly range: string | undefined;
  readonly because: "own-lock" | "workspace" | "peer-range";
}

export interface PeerFacts {
  /** What Yarn wrote with the newcomers in the workspace. */
  readonly lock: Lockfile;
  readonly newcomers: readonly Member[];
  /** The version that the name resolved to at home; undefined where the package had no lockfile. */
  readonly hoisted: ((ident: string) => string | undefined) | undefined;
  readonly workspaceRange: (
    ident: string,
  ) => Pick<Usage, "range" | "catalog"> | undefined;
}

interface Need {
  readonly asker: string;
  readonly range: string;
}

/**
 * Finds what npm 7 and newer, and pnpm with `auto-install-peers`, install by themselves and Yarn does not: peers that
 * are not optional and that neither the dependent has nor hands down as a peer of its own
 * (docs.npmjs.com, "package.json", peerDependencies). What the own lockfile does not hold was missing at home, too.
 */
export function findMissingPeers(facts: PeerFacts): readonly MissingPeer[] {
  const graph = graphOf(facts.lock);
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
              ...chooseRange(needs, home, workspaceHas(ident)),
            },
          ];
    });
  });
}

interface Asked {
  readonly needs: readonly Need[];
  readonly heldBy: string | undefined;
}

/** Peers that nobody provides below a newcomer's dependencies of some fields. */
function askedFor(
  graph: Graph,
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
    // A workspace's own dependencies are its own affair.
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

/** Itself, its dependencies, and what it hands down as its own peer. */
function givenBy(entry: LockEntry): ReadonlySet<string> {
  return new Set([
    identOf(entry.resolution),
    ...entry.dependencies.map(([ident]) => ident),
    ...entry.peerDependencies.map(([ident]) => ident),
  ]);
}

interface Graph {
  workspace(member: Member): LockEntry | undefined;
  resolve(ident: string, range: string): readonly LockEntry[];
  children(entry: LockEntry): readonly LockEntry[];
  /** Peers that whoever depends on an entry has to give it; an optional one counts where something below needs it. */
  needs(entry: LockEntry): ReadonlyMap<string, Need>;
}

function graphOf({ entries }: Lockfile): Graph {
  const byDescriptor = new Map(
    entries.flatMap((entry) =>
      entry.descriptors.map((descriptor) => [descriptor, entry] as const),
    ),
  );
  const byName = new Map<string, LockEntry[]>();
  for (const entry of entries) {
    const ident = identOf(entry.resolution);
    byName.set(ident, [...(byName.get(ident) ?? []), entry]);
  }
  const resolve = (ident: string, range: string): readonly LockEntry[] => {
    const found =
      byDescriptor.get(`${ident}@${range}`) ??
      byDescriptor.get(`${ident}@npm:${range}`);
    return found ? [found] : (byName.get(ident) ?? []);
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
    // Before the children are asked: dependencies have cycles.
    known.set(entry, result);
    if (optional.size > 0)
      for (const child of children(entry))
        for (const [ident, need] of needs(child))
          if (optional.has(ident)) result.set(ident, need);
    return result;
  };
  return {
    workspace: ({ name, dir }) =>
      entries.find(
        ({ resolution }) => resolution === `${name}@workspace:${dir}`,
      ),
    resolve,
    children,
    needs,
  };
}

/** Idents below `peerDependenciesMeta` of an entry that have `optional: true`. */
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

/** What the workspace has already. */
interface Had {
  readonly written: string;
  readonly meant: string;
  /** What that resolves to; undefined where it does not tell. */
  readonly version: string | undefined;
}

function chooseRange(
  needs: readonly Need[],
  home: string | undefined,
  workspace: Had | undefined,
): Pick<MissingPeer, "range" | "because"> {
  const ranges = [...new Set(needs.map(({ range }) => range))];
  const fits = (range: string) =>
    validRange(range) !== null &&
    ranges.every((one) => validRange(one) !== null && subset(range, one));
  const isKnown =
    workspace !== undefined &&
    (home === undefined
      ? fits(workspace.version ?? workspace.meant)
      : validRange(workspace.meant) !== null &&
        satisfies(home, workspace.meant));
  if (isKnown) return { range: workspace.written, because: "workspace" };
  if (home !== undefined)
    return {
      range: prerelease(home) ? home : `^${home}`,
      because: "own-lock",
    };
  return {
    range:
      ranges.find(fits) ??
      ranges.reduce<string | undefined>(intersectionOf, "*"),
    because: "peer-range",
  };
}

/** What a person would write for what a range resolved to, where that allows nothing more than the range does. */
export function settleRange(range: string, version: string): string {
  if (COMPARABLE.test(range)) return range;
  if (prerelease(version)) return version;
  return (
    [`^${version}`, `~${version}`].find((one) => subset(one, range)) ?? version
  );
}

/** What both ranges allow, by their alternatives (`||`); undefined where that is nothing, or one of them is no range. */
function intersectionOf(a: string | undefined, b: string): string | undefined {
  if (a === undefined || validRange(a) === null || validRange(b) === null)
    return undefined;
  const alternatives = (range: string) =>
    range.split("||").map((one) => one.trim());
  const both = alternatives(a).flatMap((one) =>
    alternatives(b).flatMap((other) => {
      if (!intersects(one, other)) return [];
      if (subset(one, other)) return [one];
      return [
        subset(other, one) ? other : tightest(`${plain(one)} ${plain(other)}`),
      ];
    }),
  );
  return both.length === 0 ? undefined : [...new Set(both)].join(" || ");
}

/** `>=` and `<` only: what two hyphen ranges can be joined as. */
function plain(range: string): string {
  return validRange(range) ?? range;
}

/** Without the bounds that another one implies: `>=4.8.4 <6.1.0 >=5.5.0` is `<6.1.0 >=5.5.0`. */
function tightest(range: string): string {
  const bounds = [...new Set(range.split(" "))];
  return bounds
    .filter((one) =>
      bounds.every((other) => other === one || !subset(other, one)),
    )
    .join(" ");
}

function byIdent(
  [a]: readonly [string, unknown],
  [b]: readonly [string, unknown],
): number {
  return a < b ? -1 : 1;
}

function identOf(resolution: string): string {
  return resolution.slice(0, resolution.indexOf("@", 1));
}
