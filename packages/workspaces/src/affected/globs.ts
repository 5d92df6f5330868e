import picomatch from "picomatch";
import { compiledGlobs } from "./compiled-globs.js";

/** Returns whether a path matches. */
export type PathMatcher = (path: string) => boolean;

/** Compiles globs of files once. Dot files match like others, and an empty list matches nothing. */
export function compileGlobs(globs: readonly string[]): PathMatcher {
  if (globs.length === 0) return () => false;
  const exact = new Set(globs);
  const any = new RegExp(globs.map((glob) => regExpOf(glob).source).join("|"));
  // As in picomatch, a path that is written exactly like a glob matches it.
  return (path) => any.test(path) || exact.has(path);
}

/** Manifests and lockfiles: the packages that they name are installed or built, in any folder. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|go\.(?:mod|sum|work)|Cargo\.(?:toml|lock)|pyproject\.toml|requirements[^/]*\.txt|Gemfile(?:\.lock)?|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** Compiles the globs of tests. Manifests of other projects among them aren't tests. */
export function compileTests(globs: readonly string[]): PathMatcher {
  const matches = compileGlobs(globs);
  return (path) => matches(path) && !MANIFEST.test(path);
}

function regExpOf(glob: string): RegExp {
  return compiledGlobs.get(glob) ?? picomatch.makeRe(glob, { dot: true });
}

/** Compiles a list in which the last matching glob decides, and `!glob` excludes; the result is undefined if none matches. */
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
