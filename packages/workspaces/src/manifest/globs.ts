import { posix } from "node:path";
import picomatch from "picomatch";

/** Tells whether a folder is a workspace by a manifest's `workspaces` globs. */
export type FolderMatcher = (dir: string) => boolean;

/**
 * Compiles `workspaces` globs as Yarn 4 reads them (by fast-glob): a folder is in if a glob matches it and no `!glob`
 * does, wherever that stands in the list (Yarn 2 and 3 let a glob behind it take the folder back); folders of
 * dependencies and of git are never in; `*` matches no leading dot.
 * @param globs relative to the folder that holds the manifest
 * @returns a matcher of folders relative to that same folder, `/` between their parts
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
