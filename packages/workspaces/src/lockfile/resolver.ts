import { identOf, rangeOf } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { withProtocol } from "./resolutions.js";
import type { ResolutionRule } from "./resolutions.js";

/** What else decides how a dependency resolves: the root manifest's `resolutions`, and the catalogs of .yarnrc.yml. */
export interface ResolutionContext {
  readonly resolutions: readonly ResolutionRule[];
  /** Catalog name (`` for the default one) -> ident -> range. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Finds the lockfile entries that a dependency resolves to. */
export interface LockResolver {
  /**
   * @param locator the dependent's locator
   * @param dependency ident and range, as the lockfile or a manifest spells them
   * @returns the entries. More than one where the lockfile alone cannot tell which: all that it may be, so that nothing
   *   is missed. None where the lockfile knows no package of that ident.
   */
  entriesFor(locator: string, dependency: LockDependency): readonly LockEntry[];
}

/** Opens a resolver over a lockfile. The index, linear in the lockfile, is made with the first question. */
export function openResolver(
  lockfile: Lockfile,
  context: ResolutionContext,
): LockResolver {
  let index: ReturnType<typeof indexEntries> | undefined;
  const rulesFor = (ident: string) =>
    context.resolutions.filter((rule) => rule.ident === ident);
  const ruled = new Set(context.resolutions.map(({ ident }) => ident));

  function lookUp(
    locator: string,
    ident: string,
    range: string,
  ): readonly LockEntry[] {
    const { byDescriptor, byIdent } = (index ??= indexEntries(lockfile));
    const sameIdent = byIdent.get(ident) ?? [];
    const exact =
      byDescriptor.get(`${ident}@${range}`) ??
      byDescriptor.get(`${ident}@${withProtocol(range)}`) ??
      byDescriptor.get(
        `${ident}@${range}::locator=${encodeURIComponent(locator)}`,
      );
    if (!exact) return sameIdent;
    // Yarn patches some packages (typescript, fsevents) on its own: the patched copy is what is installed.
    const patched = sameIdent.filter(
      (entry) =>
        entry !== exact && patchesRange(entry, ident, withProtocol(range)),
    );
    return patched.length === 0 ? [exact] : [exact, ...patched];
  }

  return {
    entriesFor(locator, [ident, range]) {
      const catalogued = range.startsWith("catalog:")
        ? context.catalogs.get(range.slice(8))?.get(ident)
        : range;
      const { byIdent } = (index ??= indexEntries(lockfile));
      if (catalogued === undefined) return byIdent.get(ident) ?? [];
      for (const rule of ruled.has(ident) ? rulesFor(ident) : []) {
        if (rule.from && rule.from.ident !== identOf(locator)) continue;
        if (rule.range === undefined && rule.from?.reference === undefined)
          return lookUp(locator, ident, rule.to);
        // Whether a narrower rule applies hangs on details of the range: it may be any package of that ident.
        return byIdent.get(ident) ?? [];
      }
      return lookUp(locator, ident, catalogued);
    },
  };
}

function indexEntries({ entries }: Lockfile) {
  const byDescriptor = new Map<string, LockEntry>();
  const byIdent = new Map<string, LockEntry[]>();
  for (const entry of entries) {
    for (const descriptor of entry.descriptors) {
      byDescriptor.set(descriptor, entry);
      const ident = identOf(descriptor);
      const same = byIdent.get(ident);
      if (!same) byIdent.set(ident, [entry]);
      else if (same.at(-1) !== entry) same.push(entry);
    }
  }
  return { byDescriptor, byIdent };
}

function patchesRange(entry: LockEntry, ident: string, range: string): boolean {
  return entry.descriptors.some((descriptor) => {
    const patch = rangeOf(descriptor);
    if (!patch.startsWith("patch:")) return false;
    const source = patch.slice("patch:".length).split("#", 1)[0] ?? "";
    return decodeURIComponent(source) === `${ident}@${range}`;
  });
}
