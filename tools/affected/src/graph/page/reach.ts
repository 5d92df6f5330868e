import type { PageData } from "./page-data.js";

/** Neighbours of each package, by its place. */
export interface Neighbours {
  readonly dependencies: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

/** The edges as two lists of neighbours, each neighbour once, in order of place. */
export function neighboursOf({
  nodes,
  edges,
}: Pick<PageData, "nodes" | "edges">): Neighbours {
  const lists = () => nodes.map(() => new Set<number>());
  const [dependencies, dependents] = [lists(), lists()];
  for (const [from, to] of edges) {
    dependencies[from]?.add(to);
    dependents[to]?.add(from);
  }
  const inOrder = (sets: Set<number>[]) =>
    sets.map((set) => [...set].sort((a, b) => a - b));
  return {
    dependencies: inOrder(dependencies),
    dependents: inOrder(dependents),
  };
}

/**
 * Everything that can be reached from a package in one or more steps, nearest first, each with the one it was reached from
 * on a shortest way. The package itself is not in it.
 */
export function reachFrom(
  start: number,
  next: readonly (readonly number[])[],
): ReadonlyMap<number, number> {
  const cameFrom = new Map<number, number>();
  let frontier = [start];
  while (frontier.length > 0) {
    const fresh: number[] = [];
    for (const place of frontier)
      for (const neighbour of next[place] ?? []) {
        if (neighbour === start || cameFrom.has(neighbour)) continue;
        cameFrom.set(neighbour, place);
        fresh.push(neighbour);
      }
    frontier = fresh;
  }
  return cameFrom;
}

/** The way from a start to a place that `reachFrom` found, both included. */
export function wayTo(
  place: number,
  cameFrom: ReadonlyMap<number, number>,
): number[] {
  const way = [place];
  for (let at = cameFrom.get(place); at !== undefined; at = cameFrom.get(at))
    way.unshift(at);
  return way;
}
