import { posix } from "node:path";
import picomatch from "picomatch";

/** A function that returns whether a folder is a workspace according to a manifest's `workspaces` globs. */
export type FolderMatcher = (dir: string) => boolean;

/**
 * Compiles `workspaces` globs as Yarn 4 interprets them (by fast-glob): a folder is included if a glob matches it and
 * no `!glob` does, in any order. In Yarn 2 and 3, a later glob can include the folder again. Folders of dependencies
 * and of git are never included. `*` doesn't match a leading dot.
 * @param globs relative to the folder with the manifest
 * @returns a matcher of folders relative to that same folder, separated by `/`
 */
export function compileWorkspaceGlobs(globs: readonly string[]): FolderMatcher {
  const compile = (glob: string) =>
    picomatch(posix.normalize(glob).replace(/(.)\/+$/, "$1"));
  const included = globs.filter((glob) => !glob.startsWith("!")).map(compile);
  const excluded = globs
    .filter((glob) => glob.startsWith("!"))
    .map((glob) => compile(glob.slice(1)));
  return (dir) =>
    !/(^|\/)(node_modules|\.git|\.yarn)(\/|$)/.test(dir) &&
    included.some((matches) => matches(dir)) &&
    !excluded.some((matches) => matches(dir));
}
