import picomatch from "picomatch";
import { compiledGlobs } from "./compiled-globs.js";

/** Tells whether a path matches. */
export type PathMatcher = (path: string) => boolean;

/** Compiles globs of files once; dot files match like others, and an empty list matches nothing. */
export function compileGlobs(globs: readonly string[]): PathMatcher {
  const rules = globs.map(compileGlob);
  return (path) => rules.some((matches) => matches(path));
}

function compileGlob(glob: string): PathMatcher {
  const known = compiledGlobs.get(glob);
  // What is written like the glob matches it, as with picomatch.
  return known
    ? (path) => path === glob || known.test(path)
    : picomatch(glob, { dot: true });
}

/** Compiles a list in which the last glob that matches decides, and `!glob` takes out; undefined where none matches. */
export function compileInputs(
  globs: readonly string[],
): (path: string) => boolean | undefined {
  const rules = globs.map((glob) => {
    const included = !glob.startsWith("!");
    return {
      included,
      matches: compileGlobs([included ? glob : glob.slice(1)]),
    };
  });
  return (path) => rules.findLast(({ matches }) => matches(path))?.included;
}
