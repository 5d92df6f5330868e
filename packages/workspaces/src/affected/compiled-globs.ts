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
