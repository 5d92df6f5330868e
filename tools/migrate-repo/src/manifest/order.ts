/** A repository of a manifest, with the fields that decide its order. */
export interface Orderable {
  readonly name: string;
  /** The names of packages that it depends on. */
  readonly dependencies: readonly string[];
}

/**
 * Orders repositories so that each follows its dependencies. Repositories in a cycle, and unrelated ones, stay in the
 * manifest's order.
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
