import type { Edge, EdgeKind, WorkspaceGraph } from "./graph.js";

/** The part of a graph that the search needs. */
export type EdgeLookup = Pick<
  WorkspaceGraph,
  "dependentsOf" | "dependenciesOf"
>;

/**
 * A path from a seed to a package. Each edge's `to` is the package that the previous edge led to, and its `from`
 * depends on it.
 */
export interface PackagePath {
  /** The packages from the seed to the target, including both; one name if the target is a seed. */
  readonly packages: readonly string[];
  /** The edges, one fewer than packages: `edges[i]` leads from `packages[i]` to its dependent `packages[i + 1]`. */
  readonly edges: readonly Edge[];
}

/**
 * Returns the shortest path along dependents from any of the seeds to a package. Among equally short paths it prefers
 * the one with the fewest edges that no manifest declares, because readers can look up the others, and then the first
 * by names. So the result depends only on the graph. Linear in packages and edges.
 * @returns undefined if no seed leads to the package
 */
export function shortestPath(
  graph: EdgeLookup,
  seeds: Iterable<string>,
  target: string,
): PackagePath | undefined {
  const distance = distancesTo(graph, target);
  let name: string | undefined;
  for (const seed of seeds) {
    if (!distance.has(seed)) continue;
    if (name === undefined || comesBefore(distance, seed, name)) name = seed;
  }
  if (name === undefined) return undefined;
  const packages = [name];
  const edges: Edge[] = [];
  while (name !== target) {
    // Each step gets nearer, so the first edge in the order is on a shortest path.
    const [edge] = stepsFrom(graph, name, distance);
    if (!edge) return undefined;
    edges.push(edge);
    name = edge.from;
    packages.push(name);
  }
  return { packages, edges };
}

/** All paths, up to a cap. */
export interface AllPaths {
  /** The shortest first; among equals those with the fewest undeclared edges, then by names. */
  readonly paths: readonly PackagePath[];
  /**
   * False if the search ended early. Then there may be more paths, even shorter ones than the last one here, and the
   * output must mention it.
   */
  readonly complete: boolean;
}

/**
 * Returns all simple paths (no package twice) along dependents from the seeds to a package.
 * @param cap the maximum number of paths, because a graph can have exponentially many
 * @param steps the maximum number of search steps, because cycles can cause long walks that lead to no path
 */
export function allPaths(
  graph: EdgeLookup,
  seeds: Iterable<string>,
  target: string,
  { cap = 100, steps = 1_000_000 }: { cap?: number; steps?: number } = {},
): AllPaths {
  const distance = distancesTo(graph, target);
  const starts = [...new Set(seeds)]
    .filter((seed) => distance.has(seed))
    .sort((a, b) => (comesBefore(distance, a, b) ? -1 : 1));
  const paths: PackagePath[] = [];
  let left = steps;
  for (const start of starts) {
    const packages = [start];
    const edges: Edge[] = [];
    const visited = new Set(packages);
    // An explicit stack, because a path may be as long as the graph is large.
    const open: Edge[][] = [[]];
    const enter = (name: string) => {
      if (name === target) {
        if (paths.length === cap) return false;
        paths.push({ packages: [...packages], edges: [...edges] });
        return true;
      }
      open.push(stepsFrom(graph, name, distance).reverse());
      return true;
    };
    if (!enter(start)) return { paths: sorted(paths), complete: false };
    while (open.length > 1) {
      const edge = open.at(-1)?.pop();
      if (edge === undefined) {
        open.pop();
        visited.delete(packages.pop() ?? start);
        edges.pop();
        continue;
      }
      if (visited.has(edge.from)) continue;
      packages.push(edge.from);
      edges.push(edge);
      if (left-- <= 0 || !enter(edge.from))
        return { paths: sorted(paths), complete: false };
      if (edge.from === target) {
        packages.pop();
        edges.pop();
      } else visited.add(edge.from);
    }
  }
  return { paths: sorted(paths), complete: true };
}

/** The distance of a package from the target along dependents. */
interface Distance {
  readonly steps: number;
  /** The smallest number of undeclared edges on a shortest path. */
  readonly undeclared: number;
}

type Distances = ReadonlyMap<string, Distance>;

/** Returns the distance of each package whose dependents lead to the target. Others are missing. */
function distancesTo(graph: EdgeLookup, target: string): Distances {
  const distance = new Map([[target, { steps: 0, undeclared: 0 }]]);
  // A map can grow during iteration and iterates in order of insertion, so it is the queue. When a package's turn
  // comes, its distance is final, because all packages nearer to the target had their turn before.
  for (const [name, { steps, undeclared }] of distance)
    for (const edge of graph.dependenciesOf(name)) {
      const known = distance.get(edge.to);
      const here = undeclared + undeclaredIn(edge);
      if (!known || (known.steps === steps + 1 && here < known.undeclared))
        distance.set(edge.to, { steps: steps + 1, undeclared: here });
    }
  return distance;
}

function undeclaredIn({ kind }: Edge): number {
  return kind === "source" ? 1 : 0;
}

/** Returns the edges to dependents from which the target can be reached, nearest first, one edge for each dependent. */
function stepsFrom(
  { dependentsOf }: EdgeLookup,
  name: string,
  distance: Distances,
): Edge[] {
  const best = new Map<string, Edge>();
  for (const edge of dependentsOf(name)) {
    if (!distance.has(edge.from)) continue;
    const known = best.get(edge.from);
    if (!known || saysMore(edge, known)) best.set(edge.from, edge);
  }
  return [...best.values()].sort((a, b) =>
    comesBefore(distance, a.from, b.from, undeclaredIn(a) - undeclaredIn(b))
      ? -1
      : 1,
  );
}

/** The preference among several edges between the same two packages: the field that a reader would check first. */
const rank: Readonly<Record<EdgeKind, number>> = {
  dependencies: 0,
  peerDependencies: 1,
  optionalDependencies: 2,
  devDependencies: 3,
  implicit: 4,
  source: 5,
  optionalPeer: 6,
};

function saysMore(edge: Edge, known: Edge): boolean {
  const by = rank[edge.kind] - rank[known.kind];
  return by < 0 || (by === 0 && edge.evidence < known.evidence);
}

/** @param more how many more undeclared edges lead to `a` than to `b` */
function comesBefore(
  distance: Distances,
  a: string,
  b: string,
  more = 0,
): boolean {
  const [one, other] = [distance.get(a) ?? FAR, distance.get(b) ?? FAR];
  const by =
    one.steps - other.steps || one.undeclared + more - other.undeclared;
  return by < 0 || (by === 0 && a < b);
}

const FAR: Distance = { steps: Infinity, undeclared: 0 };

function sorted(paths: readonly PackagePath[]): PackagePath[] {
  return paths
    .map((path) => ({
      path,
      undeclared: path.edges.filter(({ kind }) => kind === "source").length,
      names: path.packages.join("\0"),
    }))
    .sort(
      (a, b) =>
        a.path.packages.length - b.path.packages.length ||
        a.undeclared - b.undeclared ||
        (a.names < b.names ? -1 : 1),
    )
    .map(({ path }) => path);
}
