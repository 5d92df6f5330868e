import type { Project } from "../project.js";

/**
 * Finds the folders that contain workspaces without being one, except the root (`.`): tools search them on their way up.
 * @returns a function that computes them at the first call
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
      // If a folder is known, the folders above it are known too.
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
