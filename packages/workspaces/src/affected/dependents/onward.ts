import { groupBy } from "@skein/reporting/group-by";
import type { Edge } from "../../graph.js";
import { countsBesideSources } from "../../make-graph.js";
import type { References } from "../input.js";

/**
 * Returns the declared edges that count if sources were read, with what is known of the modules that they load.
 * @param references undefined if sources were not read; then every edge counts as it is
 */
export function declaredEdges(
  edges: readonly Edge[],
  references: References | undefined,
): readonly Edge[] {
  if (!references) return edges;
  return edges.filter(countsBesideSources).map((edge) => {
    const onward =
      edge.kind === "implicit"
        ? undefined
        : references.onwardOf(edge.from, edge.to);
    return onward ? { ...edge, onward } : edge;
  });
}

/**
 * Returns whether what `next` leads to matters to the dependent, too.
 * @param next an edge from the package that `edge` leads to
 */
export function leadsOn(edge: Edge, next: Edge): boolean {
  return (
    edge.onward === undefined ||
    edge.onward.includes(next.to) ||
    (edge.kind !== "source" && next.kind !== "source")
  );
}

/** Returns the edges with all packages to which each leads on, whether by declared edges or by others. */
export function withOnward(edges: readonly Edge[]): readonly Edge[] {
  const nextOf = groupBy(edges, ({ from }) => from);
  return edges.map((edge) => {
    if (!edge.onward) return edge;
    const next = (nextOf.get(edge.to) ?? []).filter((each) =>
      leadsOn(edge, each),
    );
    return { ...edge, onward: [...new Set(next.map(({ to }) => to))] };
  });
}
