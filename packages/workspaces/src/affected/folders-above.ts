import type { Project } from "../project.js";

/** The folders that hold workspaces without being one, the root (`.`) aside: tools look through them on their way up. */
export function foldersAbove(
  projects: readonly Project[],
): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { packages } of projects) {
    for (const { dir } of packages) {
      for (let slash = dir.indexOf("/"); slash >= 0;) {
        folders.add(dir.slice(0, slash));
        slash = dir.indexOf("/", slash + 1);
      }
    }
  }
  return folders;
}
