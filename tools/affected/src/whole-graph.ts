import { makeGraph } from "@skein/workspaces";
import type { WorkspaceGraph } from "@skein/workspaces";
import type { Survey } from "./survey.js";

/** The graph of head with the edges that sources show, as far as they were read. */
export function wholeGraph({
  head,
  references,
}: Pick<Survey, "head" | "references">): WorkspaceGraph {
  return makeGraph(
    [...head.graph.workspaces.values()],
    [...head.graph.edges, ...(references?.edges ?? [])],
  );
}
