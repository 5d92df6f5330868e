import { compileWorkspaceGlobs } from "./globs.js";

/** Returns the globs of a `workspaces` list that include folders, without those that exclude them. */
export function positiveGlobs(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => !glob.startsWith("!"));
}

/**
 * Returns the globs of a `workspaces` list that match none of the folders.
 * @param globs the whole list; a glob that begins with `!` excludes folders from all others
 * @param folders with a package.json, from the folder with the list
 * @param among the globs to check; by default all
 */
export function unmatchedGlobs(
  globs: readonly string[],
  folders: readonly string[],
  among: readonly string[] = positiveGlobs(globs),
): readonly string[] {
  const negative = globs.filter((glob) => glob.startsWith("!"));
  return among.filter(
    (glob) => !folders.some(compileWorkspaceGlobs([glob, ...negative])),
  );
}
