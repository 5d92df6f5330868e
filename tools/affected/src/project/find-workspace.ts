import { relative, resolve, sep } from "node:path";
import { nearest, printable, usageFailure } from "@skein/reporting";
import type { Workspace, WorkspaceGraph } from "@skein/workspaces";

/**
 * Finds a workspace by its name, by its folder (relative to the working directory), by its name without the scope
 * (`web` for `@acme/web`), or by another ending of its name (`09` for `@acme/pkg-09`), if only one workspace has it.
 * @throws Failure (usage) with similar names if there is none
 */
export function findWorkspace(
  word: string,
  graph: Pick<WorkspaceGraph, "workspaces">,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Workspace {
  const named = graph.workspaces.get(word);
  if (named) return named;
  const dir = relative(root, resolve(cwd, word)).replaceAll(sep, "/") || ".";
  for (const workspace of graph.workspaces.values())
    if (workspace.dir === dir) return workspace;
  const ending = [...graph.workspaces.values()].filter(({ name }) =>
    endsIn(name, word),
  );
  const unscoped = ending.filter(({ name }) => name.endsWith(`/${word}`));
  const [only, ...others] = unscoped.length > 0 ? unscoped : ending;
  if (only && others.length === 0) return only;
  const near =
    ending.length > 0
      ? ending.map(({ name }) => name)
      : nearest(word, graph.workspaces.keys());
  throw usageFailure(`no package is called ${printable(word)}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.map(printable).join(" or ")}?`
        : "yarn workspaces list prints them all",
  });
}

/** Returns whether a name ends in whole words: `@acme/web-app` in `web-app` and in `app`, not in `pp`. */
function endsIn(name: string, word: string): boolean {
  return (
    word !== "" &&
    name.endsWith(word) &&
    /[^a-z0-9]$/i.test(name.slice(0, -word.length))
  );
}
