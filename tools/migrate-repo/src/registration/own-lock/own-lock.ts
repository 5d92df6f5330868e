/** The resolutions of the package's own lockfile, in any format. It holds only packages of a registry. */
export interface OwnLock {
  readonly kind: "yarn" | "npm" | "pnpm";
  /** The path of the lockfile in the source. */
  readonly file: string;
  /** Every version in the lockfile, by ident. An alias has its own name here. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Maps `ident@range`, as in manifests, to a version. For pnpm, it has only the ranges in manifests of the project.
   */
  readonly descriptors: ReadonlyMap<string, string>;
  /** Returns the version that a file of the package got by a bare name, declared or not. */
  readonly hoisted: (ident: string) => string | undefined;
}

/** Creates a collector for the results of the readers. */
export function lockBuilder(kind: OwnLock["kind"], file: string) {
  const versions = new Map<string, Set<string>>();
  const descriptors = new Map<string, string>();
  const hoisted = new Map<string, string>();
  /** For each ident, how many packages require each version. */
  const asked = new Map<string, Map<string, number>>();
  return {
    add(ident: string, version: string): void {
      const known = versions.get(ident);
      if (known) known.add(version);
      else versions.set(ident, new Set([version]));
    },
    describe(ident: string, range: string, version: string): void {
      const key = `${ident}@${range}`;
      // npm nests packages, so one range may have two versions. The first one is the nearest to the top.
      if (!descriptors.has(key)) descriptors.set(key, version);
    },
    /** Counts a package that requires a version. Yarn hoists the version that most packages require. */
    use(ident: string, version: string): void {
      const counts = asked.get(ident) ?? new Map<string, number>();
      asked.set(ident, counts.set(version, (counts.get(version) ?? 0) + 1));
    },
    hoist(ident: string, version: string): void {
      hoisted.set(ident, version);
    },
    done(): OwnLock {
      return {
        kind,
        file,
        versions,
        descriptors,
        hoisted(ident) {
          const known = hoisted.get(ident);
          if (known !== undefined) return known;
          const all = [...(versions.get(ident) ?? [])];
          return all.length === 1 ? all[0] : mostOf(asked.get(ident));
        },
      };
    },
  };
}

/** Returns the key with the highest count; undefined if two keys have it. */
function mostOf(
  counts: ReadonlyMap<string, number> = new Map(),
): string | undefined {
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
