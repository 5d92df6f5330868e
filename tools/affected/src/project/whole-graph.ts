import { declaredEdges, makeGraph } from "@skein/workspaces";
import type { WorkspaceGraph } from "@skein/workspaces";
import type { Survey } from "../survey.js";

/** Returns the graph of head with the edges from sources, as far as these were read. @see Edge.onward */
export function wholeGraph({
  head,
  references,
}: Pick<Survey, "head" | "references">): WorkspaceGraph {
  return makeGraph(
    [...head.graph.workspaces.values()],
    [
      ...declaredEdges(head.graph.edges, references),
      ...(references?.edges ?? []),
    ],
  );
}
