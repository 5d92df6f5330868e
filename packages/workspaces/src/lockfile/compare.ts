import type { LockState, PackageFacts } from "../project.js";
import { locatorOf } from "../project.js";
import type { LockEntry } from "./lockfile.js";
import { identOf, workspaceDirOf } from "./lockfile.js";
import { openReach } from "./reach.js";

/** What changed below a workspace: the locator now, and the locators of that ident before. */
export interface LockChange {
  readonly before: readonly string[];
  readonly after: string;
}

/**
 * Compares two lockfiles by what they mean: a workspace changed only if its closure of external packages did (another
 * locator, another checksum, another dependency). Comments, order and entries nobody reaches change nothing.
 * @returns workspace name -> one change that explains it
 */
export function compareLockfiles(
  base: LockState,
  head: LockState,
  packages: readonly PackageFacts[],
): ReadonlyMap<string, LockChange> {
  if (base === head) return new Map();
  const suspects = suspectIdents(base, head);
  if (base.lockfile === head.lockfile && suspects.size === 0) return new Map();
  const before = new Map(
    base.lockfile.entries.map((entry) => [entry.resolution, entry]),
  );
  const sameTargets = (locator: string, ident: string, range: string) => {
    if (!suspects.has(ident)) return true;
    const targets = (state: LockState) =>
      state.resolver
        .entriesFor(locator, [ident, range])
        .map(({ resolution }) => resolution);
    return targets(base).join("\n") === targets(head).join("\n");
  };
  const dirty = head.lockfile.entries.filter((entry) => {
    if (workspaceDirOf(entry.resolution) !== undefined) return false;
    if (before.get(entry.resolution)?.text !== entry.text) return true;
    return entry.dependencies.some(
      ([ident, range]) => !sameTargets(entry.resolution, ident, range),
    );
  });
  const changes = new Map<string, LockChange>();
  const explained = new Map<LockEntry, LockChange>();
  let known: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  const explain = (entry: LockEntry): LockChange => {
    known ??= resolutionsByIdent(base);
    const before = entry.descriptors.flatMap((descriptor) => [
      ...(known?.get(identOf(descriptor)) ?? []),
    ]);
    return { before: [...new Set(before)], after: entry.resolution };
  };
  for (const [workspace, entry] of openReach(head, packages).workspacesReaching(
    dirty,
  )) {
    const change = explained.get(entry) ?? explain(entry);
    explained.set(entry, change);
    changes.set(workspace, change);
  }
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
  return changes;
}

/** What each ident resolved to; an alias is an ident of its own. */
function resolutionsByIdent({
  lockfile,
}: LockState): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const { descriptors, resolution } of lockfile.entries) {
    for (const descriptor of descriptors) {
      const ident = identOf(descriptor);
      const resolutions = known.get(ident) ?? new Set();
      known.set(ident, resolutions.add(resolution));
    }
  }
  return known;
}

/** Idents whose descriptors, resolutions or catalog ranges differ: only these can resolve otherwise than before. */
function suspectIdents(base: LockState, head: LockState): ReadonlySet<string> {
  const suspects = new Set<string>();
  const resolutionsOf = ({ lockfile }: LockState) =>
    new Map(
      lockfile.entries.flatMap((entry) =>
        entry.descriptors.map((descriptor) => [descriptor, entry.resolution]),
      ),
    );
  const [was, is] = [resolutionsOf(base), resolutionsOf(head)];
  const pairs =
    base.lockfile === head.lockfile
      ? []
      : ([
          [was, is],
          [is, was],
        ] as const);
  for (const [one, other] of pairs) {
    for (const [descriptor, resolution] of one) {
      if (other.get(descriptor) !== resolution)
        suspects.add(identOf(descriptor));
    }
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
