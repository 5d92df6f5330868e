/** What the package's own lockfile had resolved, whoever wrote it. Only packages of a registry. */
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
          return all.length === 1 ? all[0] : undefined;
        },
      };
    },
  };
}
