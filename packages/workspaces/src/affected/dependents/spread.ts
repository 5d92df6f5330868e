import { compileReads, type ReadFile } from "@skein/fingerprint";
import { addTo, groupBy } from "@skein/reporting/group-by";
import type { Edge, WorkspaceGraph } from "../../graph.js";
import type { References } from "../input.js";
import { declaredEdges, leadsOn } from "./onward.js";
import type { Reason } from "../reason.js";

/** The changed packages, each with what changed of it. */
export type Seeds = ReadonlyMap<string, readonly ReadFile[]>;

/** Returns whether edges that read nothing in particular, and all others, lead to what changed in a package. */
function isWhole(files: readonly ReadFile[]): boolean {
  return files.some(({ stem }) => stem === undefined);
}

/**
 * Follows the edges from the seeds to dependents, breadth first. It doesn't continue after an edge that only tests make. From
 * a seed, it follows the edges that read one of the changed files; from any package by whose edges it came there, those that
 * lead on to one of these edges.
 * @returns for each dependent all its reasons
 */
export function spread(
  seeds: Seeds,
  graph: WorkspaceGraph,
  references: References | undefined,
): Map<string, Reason[]> {
  const byTarget = groupBy(references?.edges ?? [], ({ to }) => to);
  const reached = new Map<string, Reason[]>();
  /** The edges by which the search came to a package. */
  const ways = new Map<string, Edge[]>();
  /** The edges to dependents of a package that were not followed yet. */
  const left = new Map<string, readonly Edge[]>();
  const queue = new Set(seeds.keys());
  /** Whether every edge to a package counts of which more changed than some files. */
  const isKnownWhole = !references?.edges.some(({ readsOnly }) => readsOnly);
  // Iteration over a set includes elements that are added during it.
  for (const name of queue) {
    queue.delete(name);
    const edges = left.get(name) ?? [
      ...declaredEdges(graph.dependentsOf(name), references),
      ...(byTarget.get(name) ?? []),
    ];
    const files = seeds.get(name) ?? [];
    const next = ways.get(name) ?? [];
    const unread: Edge[] = [];
    left.set(name, unread);
    for (const edge of edges) {
      const isFollowed =
        files.some(compileReads(edge)) ||
        next.some((way) => leadsOn(edge, way));
      if (!isFollowed) {
        unread.push(edge);
        continue;
      }
      const { from, kind, evidence } = edge;
      addTo(reached, from, {
        kind: "dependency",
        on: name,
        edge: kind,
        evidence,
        ...(edge.isGuess && { isGuess: true }),
        ...onlyTests(edge),
      });
      if (edge.testOnly || (isKnownWhole && isWhole(seeds.get(from) ?? [])))
        continue;
      addTo(ways, from, edge);
      queue.add(from);
    }
  }
  return reached;
}

/** Returns the mark of an edge that only tests make, for a reason. */
export function onlyTests({ testOnly }: Edge) {
  return testOnly === true && { testOnly };
}
