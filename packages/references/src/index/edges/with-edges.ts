import type { FoundEdges, ReferenceGraph } from "../../graph.js";

/**
 * Returns a graph with known edges, in which no workspace is missing. The graph itself is opened only for other
 * questions.
 */
export function withEdges(
  edges: FoundEdges,
  open: () => ReferenceGraph,
): ReferenceGraph {
  let opened: ReferenceGraph | undefined;
  const known = { edges: () => edges, unlisted: [], unreadable: [] };
  // Callers only read its members.
  return new Proxy(known as object as ReferenceGraph, {
    get: (_, member): unknown =>
      Reflect.get(member in known ? known : (opened ??= open()), member),
  });
}
