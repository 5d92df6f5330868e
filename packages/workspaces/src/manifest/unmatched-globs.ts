import { compileWorkspaceGlobs } from "./globs.js";

/** The globs of a `workspaces` list that take folders in, without those that take them out again. */
export function positiveGlobs(globs: readonly string[]): readonly string[] {
  return globs.filter((glob) => !glob.startsWith("!"));
}

/**
 * Which globs of a `workspaces` list none of the folders is a workspace by.
 * @param globs the whole list: one that begins with `!` takes folders from all others
 * @param folders with a package.json, from the folder that holds the list
 * @param among those that are in doubt; every one, where nothing else is said
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
