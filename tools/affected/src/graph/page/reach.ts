import type { PageData } from "./page-data.js";

/** The neighbours of each package, by its place. */
export interface Neighbours {
  readonly dependencies: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

/** All neighbours, and in `beyondTests` those that more than tests use. */
export interface AllNeighbours extends Neighbours {
  readonly beyondTests: Neighbours;
}

/** Converts the edges to lists of neighbours. Each neighbour appears once, in order of place. */
export function neighboursOf({
  nodes,
  edges,
}: Pick<PageData, "nodes" | "edges">): AllNeighbours {
  const beyond = edges.filter(([, , , testOnly]) => testOnly !== 1);
  const beyondTests = listsOf(nodes, beyond);
  return beyond.length === edges.length
    ? { ...beyondTests, beyondTests }
    : { ...listsOf(nodes, edges), beyondTests };
}

function listsOf(
  nodes: PageData["nodes"],
  edges: PageData["edges"],
): Neighbours {
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
 * Returns all packages that can be reached from a package in one or more steps, nearest first. Each has the package
 * before it on a shortest way. The package itself isn't included.
 * @param last neighbours from which no way continues; they come last
 */
export function reachFrom(
  start: number,
  next: (place: number) => readonly number[] | undefined,
  last: (place: number) => readonly number[] | undefined = () => [],
): ReadonlyMap<number, number> {
  const cameFrom = new Map<number, number>();
  let frontier = [start];
  while (frontier.length > 0) {
    const fresh: number[] = [];
    for (const place of frontier)
      for (const neighbour of next(place) ?? []) {
        if (neighbour === start || cameFrom.has(neighbour)) continue;
        cameFrom.set(neighbour, place);
        fresh.push(neighbour);
      }
    frontier = fresh;
  }
  for (const place of [start, ...cameFrom.keys()])
    for (const end of last(place) ?? [])
      if (end !== start && !cameFrom.has(end)) cameFrom.set(end, place);
  return cameFrom;
}

/** Returns the way from the start to a place that `reachFrom` found, including both. */
export function wayTo(
  place: number,
  cameFrom: ReadonlyMap<number, number>,
): number[] {
  const way = [place];
  for (let at = cameFrom.get(place); at !== undefined; at = cameFrom.get(at))
    way.unshift(at);
  return way;
}
