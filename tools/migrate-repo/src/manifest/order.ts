/** A repository of a manifest, as far as its place in the order goes. */
export interface Orderable {
  readonly name: string;
  /** Names of packages it depends on. */
  readonly dependencies: readonly string[];
}

/**
 * Orders repositories so that each comes after those it depends on; a cycle is entered in the manifest's order, and what
 * has nothing to do with each other keeps it.
 */
export function orderByDependency<T extends Orderable>(
  all: readonly T[],
): readonly T[] {
  const byName = new Map(all.map((one) => [one.name, one]));
  const done = new Set<T>();
  const visit = (one: T, above: readonly T[]): void => {
    if (done.has(one) || above.includes(one)) return;
    for (const name of one.dependencies) {
      const dependency = byName.get(name);
      if (dependency) visit(dependency, [...above, one]);
    }
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return [...done];
}
