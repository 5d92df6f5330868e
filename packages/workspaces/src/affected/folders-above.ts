import type { Project } from "../project.js";

/**
 * The folders that hold workspaces without being one, the root (`.`) aside: tools look through them on their way up.
 * @returns a function that knows them with the first question
 */
export function openFoldersAbove({
  base,
  head,
}: {
  readonly base: Pick<Project, "graph"> | undefined;
  readonly head: Pick<Project, "graph">;
}): () => ReadonlySet<string> {
  let folders: Set<string> | undefined;
  return () => (folders ??= foldersOf(new Set(base ? [head, base] : [head])));
}

function foldersOf(projects: ReadonlySet<Pick<Project, "graph">>): Set<string> {
  const folders = new Set<string>();
  for (const { graph } of projects) {
    for (const { dir } of graph.workspaces.values()) {
      // A folder that is known has its own known too.
      for (
        let slash = dir.lastIndexOf("/");
        slash > 0;
        slash = dir.lastIndexOf("/", slash - 1)
      ) {
        const folder = dir.slice(0, slash);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
  }
  return folders;
}
