import { compileReads } from "@skein/fingerprint";
import { addTo, groupBy } from "@skein/reporting/group-by";
import type { Edge, WorkspaceGraph } from "../../graph.js";
import type { References } from "../input.js";
import { declaredEdges, leadsOn } from "./onward.js";
import type { Reason } from "../reason.js";

/** The changed packages, each with the stems of its changed files; undefined if more of it changed. */
export type Seeds = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** Returns whether an edge from a dependent leads to what changed in a package. */
function readsSeed(
  edge: Edge,
  stems: ReadonlySet<string> | undefined,
): boolean {
  return !stems || !edge.reads || [...stems].some(compileReads(edge.reads));
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
  // Iteration over a set includes elements that are added during it.
  for (const name of queue) {
    queue.delete(name);
    const edges = left.get(name) ?? [
      ...declaredEdges(graph.dependentsOf(name), references),
      ...(byTarget.get(name) ?? []),
    ];
    const isSeed = seeds.has(name);
    const stems = seeds.get(name);
    const next = ways.get(name) ?? [];
    const unread: Edge[] = [];
    left.set(name, unread);
    for (const edge of edges) {
      const isFollowed =
        (isSeed && readsSeed(edge, stems)) ||
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
      if (edge.testOnly || (seeds.has(from) && !seeds.get(from))) continue;
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
