/** The resolutions of the package's own lockfile, in any format. It holds only packages of a registry. */
export interface OwnLock {
  readonly kind: "yarn-1" | "yarn" | "npm" | "pnpm";
  /** Its path in the source. */
  readonly file: string;
  /** Every version it holds, by ident. An alias has its own name here. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
  /** `ident@range` as manifests spell it -> version. pnpm keeps those of manifests only. */
  readonly descriptors: ReadonlyMap<string, string>;
  /** The version that a file of the package got by a bare name, declared or not. */
  readonly hoisted: (ident: string) => string | undefined;
}

/** Collects what the readers find. */
export function lockBuilder(kind: OwnLock["kind"], file: string) {
  const versions = new Map<string, Set<string>>();
  const descriptors = new Map<string, string>();
  const hoisted = new Map<string, string>();
  /** Per ident: how many packages ask for each version. */
  const asked = new Map<string, Map<string, number>>();
  return {
    add(ident: string, version: string): void {
      const known = versions.get(ident);
      if (known) known.add(version);
      else versions.set(ident, new Set([version]));
    },
    describe(ident: string, range: string, version: string): void {
      const key = `${ident}@${range}`;
      // npm nests: one range may have two versions; the first is the one nearest to the top.
      if (!descriptors.has(key)) descriptors.set(key, version);
    },
    /** Some package asks for a version; what most ask for, Yarn puts at the top. */
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

/** Returns the key with the highest count; undefined where two have it. */
function mostOf(
  counts: ReadonlyMap<string, number> = new Map(),
): string | undefined {
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
