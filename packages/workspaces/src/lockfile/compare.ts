import type { LockState, PackageFacts } from "../project.js";
import { locatorOf } from "../project.js";
import type { LockEntry, Lockfile } from "./lockfile.js";
import { identOf, workspaceDirOf } from "./lockfile.js";
import { openReach } from "./reach.js";

/**
 * What changed below a workspace: the locator now, and what it was before: the same, if only what it says changed; else
 * what its descriptors led to, or those of its ident that are gone; nothing, if it came to what stayed.
 */
export interface LockChange {
  readonly before: readonly string[];
  readonly after: string;
}

/** How two lockfiles differ. */
export interface LockComparison {
  /** By the name of a workspace whose closure of external packages differs: one change that explains it. */
  readonly workspaces: ReadonlyMap<string, LockChange>;
  /** The same by the ident of an external package, at whatever version: whoever finds one by hoisting gets something else. */
  readonly externals: ReadonlyMap<string, LockChange>;
}

/**
 * Compares two lockfiles by what they mean: a workspace changed only if its closure of external packages did (another
 * locator, another checksum, another dependency). Comments, order and entries nobody reaches change nothing.
 */
export function compareLockfiles(
  base: LockState,
  head: LockState,
  packages: readonly PackageFacts[],
): LockComparison {
  const changes = new Map<string, LockChange>();
  const externals = new Map<string, LockChange>();
  const comparison = { workspaces: changes, externals };
  if (base === head) return comparison;
  const [gone, fresh] = differing(base.lockfile, head.lockfile);
  const suspects = suspectIdents(gone, fresh, base, head);
  if (fresh.length === 0 && suspects.size === 0) return comparison;
  const before = new Map(gone.map((entry) => [entry.resolution, entry.text]));
  const isFresh = new Set(fresh);
  const sameTargets = (locator: string, ident: string, range: string) => {
    if (!suspects.has(ident)) return true;
    const targets = (state: LockState) =>
      state.resolver
        .entriesFor(locator, [ident, range])
        .map(({ resolution }) => resolution)
        .sort()
        .join("\n");
    return targets(base) === targets(head);
  };
  const dirty = head.lockfile.entries.filter((entry) => {
    if (workspaceDirOf(entry.resolution) !== undefined) return false;
    if (isFresh.has(entry) && before.get(entry.resolution) !== entry.text)
      return true;
    // Asked of each dependency of the lockfile: most are of no suspect.
    return entry.dependencies.some(
      (dependency) =>
        suspects.has(dependency[0]) &&
        !sameTargets(entry.resolution, dependency[0], dependency[1]),
    );
  });
  const explained = new Map<LockEntry, LockChange>();
  const explain = (entry: LockEntry): LockChange => {
    const after = entry.resolution;
    const entriesAt = ({ resolver }: LockState) =>
      [...new Set(entry.descriptors.map(identOf))].flatMap((ident) =>
        resolver.entriesOf(ident),
      );
    const was = entriesAt(base);
    if (was.some(({ resolution }) => resolution === after))
      return { before: [after], after };
    const stays = new Set(entriesAt(head).map(({ resolution }) => resolution));
    const answered = was.filter(({ descriptors }) =>
      descriptors.some((descriptor) => entry.descriptors.includes(descriptor)),
    );
    const before =
      answered.length > 0
        ? answered
        : was.filter(({ resolution }) => !stays.has(resolution));
    return { before: before.map(({ resolution }) => resolution), after };
  };
  const explanationOf = (entry: LockEntry): LockChange => {
    const change = explained.get(entry) ?? explain(entry);
    explained.set(entry, change);
    return change;
  };
  const reached = openReach(head, packages).reaching(dirty);
  for (const [workspace, entry] of reached.workspaces)
    changes.set(workspace, explanationOf(entry));
  for (const [entry, from] of reached.entries)
    for (const descriptor of entry.descriptors)
      externals.set(identOf(descriptor), explanationOf(from));
  for (const [ident, change] of movedIdents(gone, fresh))
    if (!externals.has(ident)) externals.set(ident, change);
  for (const facts of packages) {
    if (changes.has(facts.name)) continue;
    const locator = locatorOf(facts);
    const moved = facts.dependencies.find(
      ({ ident, range, field }) =>
        field !== "peerDependencies" && !sameTargets(locator, ident, range),
    );
    if (!moved) continue;
    const [now] = head.resolver.entriesFor(locator, [moved.ident, moved.range]);
    const were = base.resolver.entriesFor(locator, [moved.ident, moved.range]);
    changes.set(facts.name, {
      before: were.map(({ resolution }) => resolution),
      after: now?.resolution ?? `${moved.ident}@${moved.range}`,
    });
  }
  return comparison;
}

/**
 * Finds the idents under which a version is no longer found, or is found for the first time: an alias has an ident of its
 * own, and can come and go without its package.
 */
function* movedIdents(
  gone: readonly LockEntry[],
  fresh: readonly LockEntry[],
): Iterable<readonly [ident: string, change: LockChange]> {
  const [was, is] = [identsOf(gone), identsOf(fresh)];
  for (const [word, [ident, resolution]] of was)
    if (!is.has(word))
      yield [ident, { before: [resolution], after: "nothing" }];
  for (const [word, [ident, resolution]] of is)
    if (!was.has(word)) yield [ident, { before: [], after: resolution }];
}

/** The idents and resolutions of external entries, each pair once. */
function identsOf(
  entries: readonly LockEntry[],
): ReadonlyMap<string, readonly [ident: string, resolution: string]> {
  return new Map(
    entries.flatMap(({ descriptors, resolution }) =>
      workspaceDirOf(resolution) === undefined
        ? descriptors.map((descriptor) => {
            const ident = identOf(descriptor);
            return [`${ident}\n${resolution}`, [ident, resolution]] as const;
          })
        : [],
    ),
  );
}

/** The entries that only one of two lockfiles has. Those that parsing shared are the same. */
function differing(
  base: Lockfile,
  head: Lockfile,
): readonly [gone: readonly LockEntry[], fresh: readonly LockEntry[]] {
  if (base === head) return [[], []];
  const [was, is] = [new Set(base.entries), new Set(head.entries)];
  return [
    base.entries.filter((entry) => !is.has(entry)),
    head.entries.filter((entry) => !was.has(entry)),
  ];
}

/** Idents whose descriptors, resolutions or catalog ranges differ: only these can resolve otherwise than before. */
function suspectIdents(
  gone: readonly LockEntry[],
  fresh: readonly LockEntry[],
  base: LockState,
  head: LockState,
): ReadonlySet<string> {
  const suspects = new Set<string>();
  const [was, is] = [answers(gone), answers(fresh)];
  for (const [one, other] of [
    [was, is],
    [is, was],
  ] as const) {
    for (const [answer, descriptor] of one)
      if (!other.has(answer)) suspects.add(identOf(descriptor));
  }
  if (JSON.stringify(base.resolutions) !== JSON.stringify(head.resolutions)) {
    for (const { ident } of [...base.resolutions, ...head.resolutions])
      suspects.add(ident);
  }
  const ranges = ({ catalogs }: LockState) =>
    new Map(
      [...catalogs].flatMap(([name, catalog]) =>
        [...catalog].map(([ident, range]) => [`${name}\0${ident}`, range]),
      ),
    );
  const [catalogWas, catalogIs] = [ranges(base), ranges(head)];
  for (const key of new Set([...catalogWas.keys(), ...catalogIs.keys()])) {
    if (catalogWas.get(key) !== catalogIs.get(key))
      suspects.add(key.slice(key.indexOf("\0") + 1));
  }
  return suspects;
}

/** Each descriptor with what it resolves to, as one word. */
function answers(entries: readonly LockEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ descriptors, resolution }) =>
      descriptors.map((descriptor) => [
        `${descriptor}\n${resolution}`,
        descriptor,
      ]),
    ),
  );
}
