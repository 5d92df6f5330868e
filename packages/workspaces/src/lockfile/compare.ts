import { remember } from "@skein/reporting/group-by";
import type { Dependency } from "../manifest/manifest.js";
import type { LockState, PackageFacts } from "../project.js";
import type { LockEntry, Lockfile } from "./lockfile.js";
import { identOf, workspaceDirOf, locatorOf } from "./lockfile.js";
import { openReach } from "./reach.js";

/**
 * A change of an external package below a workspace. `after` is the current locator. `before` has the same locator if
 * only its content changed. Otherwise it has the former resolutions of its descriptors, or else those resolutions of
 * its ident that no longer exist. It is empty if the locator is new and all former ones still exist.
 */
export interface LockChange {
  readonly before: readonly string[];
  readonly after: string;
  /** The lockfile that contains it, unless it is yarn.lock. */
  readonly file?: typeof NPM_LOCK;
}

/** npm's lockfile, which counts if there is no yarn.lock. */
export const NPM_LOCK = "package-lock.json";

/** The differences between two lockfiles. */
export interface LockComparison {
  /**
   * One change for each workspace, by name, whose closure of external packages differs. The change explains the
   * difference.
   */
  readonly workspaces: ReadonlyMap<string, LockChange>;
  /**
   * The same by the ident of an external package, at any version. A package that finds it by hoisting gets another one.
   */
  readonly externals: ReadonlyMap<string, LockChange>;
  /** The same for only the version that the root's own dependency resolves to, by its ident. */
  readonly ofRoot: ReadonlyMap<string, LockChange>;
}

/**
 * Compares two lockfiles by their meaning. A workspace changed only if its closure of external packages did (another
 * locator, another checksum, another dependency). Comments, order and unreachable entries don't matter.
 */
export function compareLockfiles(
  base: LockState,
  head: LockState,
  packages: readonly PackageFacts[],
): LockComparison {
  const changes = new Map<string, LockChange>();
  const externals = new Map<string, LockChange>();
  const ofRoot = new Map<string, LockChange>();
  const comparison = { workspaces: changes, externals, ofRoot };
  if (base === head) return comparison;
  const [gone, fresh] = differing(base.lockfile, head.lockfile);
  const suspects = suspectIdents(gone, fresh, base, head);
  if (fresh.length === 0 && suspects.size === 0) return comparison;
  const before = new Map(gone.map((entry) => [entry.resolution, entry.text]));
  const isFresh = new Set(fresh);
  const sameTargets = (locator: string, ident: string, range: string) =>
    !suspects.has(ident) ||
    targetsOf(base, locator, ident, range) ===
      targetsOf(head, locator, ident, range);
  const dirty = head.lockfile.entries.filter((entry) => {
    if (workspaceDirOf(entry.resolution) !== undefined) return false;
    if (isFresh.has(entry) && before.get(entry.resolution) !== entry.text)
      return true;
    // This runs for each dependency of the lockfile, and most have no suspect ident.
    return entry.dependencies.some(
      (dependency) =>
        suspects.has(dependency[0]) &&
        !sameTargets(entry.resolution, dependency[0], dependency[1]),
    );
  });
  const explanationOf = remember((entry: LockEntry) =>
    explain(entry, base, head),
  );
  const reached = openReach(head, packages).reaching(dirty);
  for (const [workspace, entry] of reached.workspaces)
    changes.set(workspace, explanationOf(entry));
  for (const [entry, from] of reached.entries)
    for (const descriptor of entry.descriptors)
      externals.set(identOf(descriptor), explanationOf(from));
  for (const [ident, change] of movedIdents(gone, fresh))
    if (!externals.has(ident)) externals.set(ident, change);
  const isMoved = (locator: string, { ident, range, field }: Dependency) =>
    field !== "peerDependencies" && !sameTargets(locator, ident, range);
  for (const facts of packages) {
    const locator = locatorOf(facts);
    for (const each of facts.dir === "." ? facts.dependencies : []) {
      const [from] = head.resolver
        .entriesFor(locator, [each.ident, each.range])
        .flatMap((entry) => reached.entries.get(entry) ?? []);
      if (isMoved(locator, each))
        ofRoot.set(each.ident, moveOf(locator, each, base, head));
      else if (from) ofRoot.set(each.ident, explanationOf(from));
    }
    if (changes.has(facts.name)) continue;
    const moved = facts.dependencies.find((each) => isMoved(locator, each));
    if (moved) changes.set(facts.name, moveOf(locator, moved, base, head));
  }
  return comparison;
}

/** Returns the resolutions of a dependency in a lockfile, in a form that can be compared. */
function targetsOf(
  { resolver }: LockState,
  locator: string,
  ident: string,
  range: string,
): string {
  return resolver
    .entriesFor(locator, [ident, range])
    .map(({ resolution }) => resolution)
    .sort()
    .join("\n");
}

/** Returns the change of an entry of head: the resolutions that it has replaced, and its own. */
function explain(
  entry: LockEntry,
  base: LockState,
  head: LockState,
): LockChange {
  const after = entry.resolution;
  // An entry has two idents if a range is an alias of another one.
  const entriesAt = ({ resolver }: LockState) => [
    ...new Set(
      entry.descriptors.flatMap((descriptor) =>
        resolver.entriesOf(identOf(descriptor)),
      ),
    ),
  ];
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
}

/** Returns the change of a dependency that resolves to something else. */
function moveOf(
  locator: string,
  { ident, range }: Dependency,
  base: LockState,
  head: LockState,
): LockChange {
  const [now] = head.resolver.entriesFor(locator, [ident, range]);
  const were = base.resolver.entriesFor(locator, [ident, range]);
  return {
    before: were.map(({ resolution }) => resolution),
    after: now?.resolution ?? `${ident}@${range}`,
  };
}

/**
 * Finds idents for which a version was added or removed. An alias has its own ident, and can appear and disappear
 * without its package.
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

/** Returns the idents and resolutions of external entries, without duplicates. */
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

/** Returns the entries that only one of two lockfiles has. Entries that parsing shared are the same object. */
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

/**
 * Returns the idents whose descriptors, resolutions or catalog ranges differ. Only dependencies on them can resolve
 * differently.
 */
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

/** Returns each descriptor, by a key that consists of the descriptor and its resolution. */
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
