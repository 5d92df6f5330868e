import picomatch from "picomatch";

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

/**
 * The globs of the default settings, as picomatch compiles them. Compiling them takes longer than all other work for one
 * changed file. A test compares them with picomatch's.
 */
export const compiledGlobs: ReadonlyMap<string, RegExp> = new Map([
  [
    "*.{md,mdx,markdown,rst,adoc}",
    /^(?:(?!\.{1,2}(?:\/|$))(?=.)[^/]*?\.(md|mdx|markdown|rst|adoc))$/,
  ],
  [
    "{LICENSE,LICENCE,NOTICE,AUTHORS,CONTRIBUTORS,CHANGELOG,CODEOWNERS}*",
    /^(?:(LICENSE|LICENCE|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CODEOWNERS)[^/]*?\/?)$/,
  ],
  [
    "docs/**",
    /^(?:docs(?:\/(?!\.{1,2}(?:\/|$))(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)|$))$/,
  ],
  [
    "**/*.{test,spec}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
    /^(?:(?:^|\/|(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)\/)(?!\.{1,2}(?:\/|$))(?=.)[^/]*?\.(test|spec)\.(js|jsx|cjs|mjs|ts|tsx|cts|mts))$/,
  ],
  [
    "**/*.{cy,e2e,bench,stories,story}.{js,jsx,cjs,mjs,ts,tsx,cts,mts,mdx}",
    /^(?:(?:^|\/|(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)\/)(?!\.{1,2}(?:\/|$))(?=.)[^/]*?\.(cy|e2e|bench|stories|story)\.(js|jsx|cjs|mjs|ts|tsx|cts|mts|mdx))$/,
  ],
  [
    "**/{__tests__,__snapshots__,__fixtures__,__mocks__,__stories__}/**",
    /^(?:(?:^|\/|(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)\/)(__tests__|__snapshots__|__fixtures__|__mocks__|__stories__)(?:\/(?!\.{1,2}(?:\/|$))(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)|$))$/,
  ],
  [
    "**/{test,tests,spec,e2e,cypress,bench,benchmark,benchmarks,stories}/**",
    /^(?:(?:^|\/|(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)\/)(test|tests|spec|e2e|cypress|bench|benchmark|benchmarks|stories)(?:\/(?!\.{1,2}(?:\/|$))(?:(?:(?!(?:^|\/)\.{1,2}(?:\/|$)).)*?)|$))$/,
  ],
]);
