import { decode, identOf, rangeOf } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { withProtocol, type ResolutionRule } from "./resolutions.js";

/**
 * Other settings that influence how a dependency resolves: the root manifest's `resolutions`, and the catalogs of
 * .yarnrc.yml.
 */
export interface ResolutionContext {
  readonly resolutions: readonly ResolutionRule[];
  /** Catalog name (`` for the default one) -> ident -> range. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Finds the lockfile entries that a dependency resolves to. */
export interface LockResolver {
  /**
   * Returns the entries that a dependency resolves to.
   * @param locator the dependent's locator
   * @param dependency ident and range, as written in the lockfile or a manifest
   * @returns the entries. If the lockfile is ambiguous, these are all candidates, so that none is missed. Empty if the
   *   lockfile has no package with this ident.
   */
  entriesFor(locator: string, dependency: LockDependency): readonly LockEntry[];
  /** Returns the entries if they are the same for every dependent; undefined if they depend on the dependent. */
  entriesForAll(dependency: LockDependency): readonly LockEntry[] | undefined;
  /** Returns all entries with this ident, in the file's order. An alias has its own ident. */
  entriesOf(ident: string): readonly LockEntry[];
}

/** Opens a resolver for a lockfile. The index, linear in the lockfile, is built on first use. */
export function openResolver(
  lockfile: Lockfile,
  context: ResolutionContext,
): LockResolver {
  let index: ReadonlyMap<string, readonly LockEntry[]> | undefined;
  const entriesOf = (ident: string) =>
    (index ??= indexEntries(lockfile)).get(ident) ?? NONE;
  const rules = new Map<string, ResolutionRule[]>();
  for (const rule of context.resolutions)
    rules.set(rule.ident, [...(rules.get(rule.ident) ?? []), rule]);

  /** @param locator undefined for any dependent */
  function resolve(
    locator: string | undefined,
    [ident, range]: LockDependency,
  ): readonly LockEntry[] | undefined {
    const catalogued = range.startsWith("catalog:")
      ? context.catalogs.get(range.slice(8))?.get(ident)
      : range;
    const sameIdent = entriesOf(ident);
    if (catalogued === undefined) return sameIdent;
    for (const rule of rules.get(ident) ?? []) {
      if (rule.from) {
        if (locator === undefined) return undefined;
        const { ident: dependent, reference } = rule.from;
        if (dependent !== identOf(locator)) continue;
        if (
          reference !== undefined &&
          withProtocol(reference) !== rangeOf(locator)
        )
          continue;
      }
      if (rule.range === undefined || rule.range === withProtocol(range))
        return lookUp(sameIdent, locator, ident, rule.to);
      // Whether a rule for one range comes before the catalog depends on Yarn's version.
      if (catalogued !== range) return sameIdent;
    }
    return lookUp(sameIdent, locator, ident, catalogued);
  }

  return {
    entriesFor: (locator, dependency) => resolve(locator, dependency) ?? NONE,
    entriesForAll: (dependency) => resolve(undefined, dependency),
    entriesOf,
  };
}

const NONE: readonly LockEntry[] = [];

function lookUp(
  sameIdent: readonly LockEntry[],
  locator: string | undefined,
  ident: string,
  range: string,
): readonly LockEntry[] | undefined {
  const named = withProtocol(range);
  let exact = answering(sameIdent, ident, range);
  if (exact.length === 0 && named !== range)
    exact = answering(sameIdent, ident, named);
  if (exact.length === 0) {
    if (sameIdent.length === 0) return sameIdent;
    if (locator === undefined) return undefined;
    const bound = `${range}::locator=${encodeURIComponent(locator)}`;
    exact = answering(sameIdent, ident, bound);
    if (exact.length === 0) return sameIdent;
  }
  if (exact.length === sameIdent.length) return exact;
  // Yarn patches some packages (typescript, fsevents) itself and installs the patched copy.
  const patched = sameIdent.filter(
    (entry) => !exact.includes(entry) && patchesRange(entry, ident, named),
  );
  return patched.length === 0 ? exact : [...exact, ...patched];
}

/** Returns the entries with this descriptor. Only a lockfile that Yarn did not write can have several. */
function answering(
  sameIdent: readonly LockEntry[],
  ident: string,
  range: string,
): readonly LockEntry[] {
  const length = ident.length + 1 + range.length;
  // This builds no string for the comparison, because it runs for each dependency of a lockfile.
  return sameIdent.filter(({ descriptors }) =>
    descriptors.some(
      (descriptor) =>
        descriptor.length === length &&
        descriptor[ident.length] === "@" &&
        descriptor.endsWith(range) &&
        descriptor.startsWith(ident),
    ),
  );
}

function indexEntries({
  entries,
}: Lockfile): ReadonlyMap<string, readonly LockEntry[]> {
  const byIdent = new Map<string, LockEntry[]>();
  for (const entry of entries) {
    for (const descriptor of entry.descriptors) {
      const ident = identOf(descriptor);
      const same = byIdent.get(ident);
      if (!same) byIdent.set(ident, [entry]);
      else if (same.at(-1) !== entry) same.push(entry);
    }
  }
  return byIdent;
}

function patchesRange(entry: LockEntry, ident: string, range: string): boolean {
  return entry.descriptors.some((descriptor) => {
    const patch = rangeOf(descriptor);
    if (!patch.startsWith("patch:")) return false;
    const source = patch.slice("patch:".length).split("#", 1)[0] ?? "";
    return decode(source) === `${ident}@${range}`;
  });
}
