import { relative, resolve, sep } from "node:path";
import { nearest, printable, usageFailure } from "@skein/reporting";
import type { Workspace, WorkspaceGraph } from "@skein/workspaces";

/**
 * Finds a workspace by its name, or by a folder from where the user stands.
 * @throws Failure (usage) with near names when there is none
 */
export function findWorkspace(
  word: string,
  graph: WorkspaceGraph,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Workspace {
  const named = graph.workspaces.get(word);
  if (named) return named;
  const dir = relative(root, resolve(cwd, word)).replaceAll(sep, "/") || ".";
  for (const workspace of graph.workspaces.values())
    if (workspace.dir === dir) return workspace;
  const near = nearest(word, graph.workspaces.keys());
  throw usageFailure(`no package is called ${printable(word)}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.map(printable).join(" or ")}?`
        : "yarn workspaces list prints them all",
  });
}
