import { SETTINGS_NAMES, type SettingsName, type Tool } from "./tool.js";
import { rowsOf } from "./rows.js";
import { COMPILES, LINTS, LINTS_WITH } from "./lookups.js";

/**
 * The supported programs, one row each: the purpose, the programs, and further members of a `Tool` behind semicolons. Some words in capitals mean lists of `lookups.ts`.
 */
const TABLE = `
  # Test runners.
  run jest jest-cli; looksUp jest mocks COMPILES; looksUpWith eslint jest-runner-eslint; looksUpWith stylelint
    jest-runner-stylelint; looksUpWith prettier jest-runner-prettier; runsTests; loadsByOption; walks .js here
  # Babel searches the current directory alone, and @vitejs/plugin-react switches even that off (configFile: false). The members
  # "here BABEL" are missing where an external preset may contain options of Babel, as presets of Jest do.
  run vitest; looksUp vitest vite mocks COMPILES; here BABEL; runsTests; loadsByOption; walks .js here
  run mocha _mocha; looksUp mocha COMPILES; runsTests; loadsByOption
  run mochapack; looksUp mocha webpack COMPILES; runsTests; loadsByOption
  run ava; looksUp ava COMPILES; runsTests; loadsByOption; walks .js here
  run tap; looksUp tap coverage COMPILES; runsTests
  run jasmine; looksUp jasmine COMPILES; runsTests
  run puppeteer; packages puppeteer-core; looksUp puppeteer
  run karma; looksUp karma webpack rollup vite COMPILES; loads karma-; runsTests
  run playwright; packages @playwright/test; looksUp playwright vite COMPILES; here BABEL; runsTests
  run cypress; looksUp cypress vite webpack COMPILES; here BABEL; runsTests
  run react-scripts; looksUp jest webpack eslint postcss tailwind browserslist COMPILES; looksUpWith LINTS_WITH; runsTests
  run nyc c8; looksUp coverage; loadsByOption
  check tsd tstyche attw publint
  check svelte-check; looksUp vite COMPILES
  check jest-it-up; looksUp jest COMPILES
  # Compilers and bundlers.
  build tsc vue-tsc tsgo ttsc tspc ts-bridge; packages typescript @ts-bridge/cli
  build tsc-alias resolve-tspaths zshy svgo i18next quicktype pbjs pbts apollo-pbjs apollo-pbts
  build babel babel-node; packages @babel/core @babel/cli @babel/register @babel/node; looksUp COMPILES;
    loadsByOption
  build swc spack; packages @swc/core @swc/cli @swc-node/register; looksUp COMPILES; loadsByOption
  build esbuild ncc; packages @vercel/ncc; bundles
  build webpack webpack-cli webpack-dev-server rspack rsbuild rslib; packages @rspack/core @rsbuild/core; looksUp
    webpack rspack COMPILES; loadsByOption; bundles
  build rollup rolldown microbundle bunchee rollup-type-bundler; looksUp rollup COMPILES; loadsByOption; bundles
  build vite; looksUp vite COMPILES; here BABEL; bundles build
  build vite-node svelte-package; packages @sveltejs/package; looksUp vite COMPILES; here BABEL
  # WXT calls Vite with its own settings alone.
  build wxt; looksUp vite COMPILES; here BABEL; bundles
  build esm2cjs ng-packagr; packages @alcalzone/esm2cjs; looksUp COMPILES
  build ocular-bundle; looksUp webpack COMPILES; bundles
  build tsup tsup-node tsdown unbuild pkgroll; looksUp tsup COMPILES; here BABEL; bundles
  build bob api-extractor; packages @microsoft/api-extractor; looksUp tsup apiExtractor COMPILES
  build flow-to-ts; looksUp prettier
  # They build extensions with webpack: "jupyter labextension build".
  build jupyter jupyter-builder build-labextension; packages @jupyterlab/builder; looksUp webpack COMPILES; bundles
  # It searches from the folder of the lockfile.
  build parcel; looksUp parcel COMPILES; bundles; choosesRoot
  build sass node-sass lessc stylus
  build postcss tailwindcss; looksUp postcss tailwind browserslist
  build graphql-codegen gql-gen; packages @graphql-codegen/cli; looksUp graphql COMPILES; loadsByOption
  build protoc grpc_tools_node_protoc buf openapi-typescript openapi-generator-cli json2ts; packages grpc-tools
    @openapitools/openapi-generator-cli
  # Site generators. They read pages that no file names.
  build docusaurus; packages @docusaurus/core; looksUp COMPILES; reads {docs,blog,versioned_docs,i18n,static}/**
    src/pages/**
  build vitepress vuepress; looksUp vite COMPILES; reads **/*.md docs/**
  build astro nextra eleventy @11ty/eleventy honkit slidev gatsby hexo mkdocs starlight dumi rspress; looksUp vite
    webpack COMPILES; reads **/*.{md,mdx,markdown,rst,adoc} docs/**
  build nuxt nuxi remix react-router svelte-kit; packages @sveltejs/kit @remix-run/dev; looksUp vite webpack COMPILES; here BABEL;
    reads **/*.{md,mdx}
  # These check the code too: "next build", "ng lint".
  build ng; packages @angular/cli; looksUp angular vite webpack eslint COMPILES; looksUpWith LINTS_WITH; reads **/*.{md,mdx}
  # getBabelConfigFile in get-config.ts searches the folder of the site alone.
  build next; looksUp webpack eslint COMPILES; looksUpWith LINTS_WITH; here BABEL; reads **/*.{md,mdx}
  build storybook sb start-storybook build-storybook test-storybook; packages @storybook/core; looksUp storybook vite
    webpack COMPILES; choosesRoot; reads **/*.mdx
  check typedoc; looksUp typedoc; reads **/*.md; loadsByOption
  # "expo lint" runs ESLint.
  build react-native expo metro; looksUp metro eslint COMPILES; looksUpWith LINTS_WITH; choosesRoot
  # Checkers and formatters. The settings of ESLint above may contain options of Babel.
  check eslint eslint_d xo; looksUp LINTS; looksUpWith LINTS_WITH; choosesRoot; loadsByOption; walks .js here;
    readsPagesWith @eslint/markdown eslint-plugin-markdown eslint-plugin-mdx eslint-plugin-md eslint-markdown @antfu/eslint-config
  # A word of prose, too.
  check standard dtslint; looksUp LINTS; looksUpWith LINTS_WITH; choosesRoot; walks .js here
  check gts; looksUp LINTS; looksUpWith LINTS_WITH; choosesRoot
  check solhint; looksUp prettier anyTool; looksUpWith editorconfig solhint-plugin-prettier prettier
  check tslint; looksUp tslint LINTS; looksUpWith LINTS_WITH; choosesRoot
  check prettier; looksUp prettier editorconfig anyTool; looksUpWith tailwind
    prettier-plugin-tailwindcss; loads prettier-plugin- @prettier/plugin-; reads **/*.{md,mdx,markdown}; loadsByOption; walks *
  # It also reads .prettierignore of the repository's top.
  check pretty-quick; looksUp prettier editorconfig anyTool; looksUpWith tailwind
    prettier-plugin-tailwindcss; loads prettier-plugin- @prettier/plugin-; reads **/*.{md,mdx,markdown}; loadsByOption; choosesRoot; walks *
  check stylelint; looksUp stylelint prettier anyTool; loadsByOption; walks *; looksUpWith editorconfig
    stylelint-prettier prettier; looksUpWith browserslist stylelint-no-unsupported-browser-features stylelint-plugin-use-baseline
  check oxlint; looksUp oxc eslint prettier editorconfig; choosesRoot; walks .js here
  check oxfmt; looksUp oxc eslint prettier editorconfig; choosesRoot; walks * here
  check biome rome; packages @biomejs/biome; looksUp biome; walks * here
  check dprint; looksUp dprint; reads **/*.{md,mdx,markdown}; walks * here
  check markdownlint markdownlint-cli2 remark alex; looksUp markdown; reads **/*.{md,mdx}
  check cspell cspell-cli; looksUp spelling; reads **/*.{md,mdx,markdown}; walks *
  # It formats CHANGELOG.md of its package with Prettier or Oxfmt.
  check auto-changelog; packages @metamask/auto-changelog; looksUp prettier oxc editorconfig anyTool; reads CHANGELOG.md
  check syncpack; looksUp syncpack
  check npmPkgJsonLint; packages npm-package-json-lint; looksUp packageJsonLint
  check knip; looksUp knip COMPILES; walks .js here
  check depcheck; looksUp knip COMPILES; walks * here
  check madge dpdm depcruise dependency-cruiser; looksUp knip COMPILES
  check jscpd; looksUp duplicates; walks * here
  check size-limit bundlesize; looksUp COMPILES; loads @size-limit/ size-limit-
  check lint-staged; looksUp lintStaged LINTS; looksUpWith LINTS_WITH; choosesRoot
  check commitlint; packages @commitlint/cli; looksUp commitlint; loadsByOption
  # Other languages, native code, images.
  build cargo rustc wasm-pack napi neon maturin; looksUp cargo
  build go gofmt golangci-lint; looksUp go
  build python python3 pip pip3 uv poetry pytest tox hatch ruff mypy; looksUp python
  # "bundle exec jekyll build"
  build bundle ruby rake pod fastlane; looksUp ruby; reads **/*.{md,markdown}
  # React Native's plug-in bundles the app with Metro.
  build gradle gradlew ./gradlew; looksUp gradle metro BABEL
  build cmake node-gyp node-gyp-build prebuildify prebuild-install; looksUp cmake
  build docker docker-compose podman; looksUp docker
`;

/** The settings that a word means: a list that many programs look up, or the settings of this name. */
const LISTS = new Map<string, readonly SettingsName[]>([
  ["COMPILES", COMPILES],
  ["BABEL", ["babel", "babelrc"]],
  ["LINTS", LINTS],
  ...SETTINGS_NAMES.map((name) => [name, [name]] as const),
]);

/** Returns the settings that a word of the table means. @throws an Error if there are no such settings */
function settingsIn(word: string): readonly SettingsName[] {
  const names = LISTS.get(word);
  if (!names) throw new Error(`there are no settings ${word}`);
  return names;
}

/** The greatest number of words after the name of a member that isn't a list. */
const MOST_WORDS = new Map([
  ["walks", 2],
  ["bundles", 1],
  ["runsTests", 0],
  ["choosesRoot", 0],
  ["loadsByOption", 0],
]);

/** Reads a row of the table. @throws an Error for an unknown member, and for one with too many words */
function toolIn(row: string): Tool {
  const [first = "", ...members] = row.split("; ");
  const [purpose, ...programs] = first.split(" ");
  const tool = {
    programs,
    purpose: purpose as Tool["purpose"],
    looksUp: [] as readonly SettingsName[],
    looksUpWith: {},
  };
  for (const member of members) {
    const [name = "", ...words] = member.split(" ");
    if (words.length > (MOST_WORDS.get(name) ?? Infinity))
      throw new Error(`too many words in ${member}: ${row}`);
    switch (name) {
      case "looksUp":
        tool.looksUp = words.flatMap(settingsIn);
        break;
      case "looksUpWith": {
        const [settings = "", ...packages] = words;
        const added =
          settings === "LINTS_WITH" ? LINTS_WITH : { [settings]: packages };
        tool.looksUpWith = { ...tool.looksUpWith, ...added };
        break;
      }
      case "walks": {
        const [end = "", here] = words;
        const walks = { end: end === "*" ? "" : end, here: here === "here" };
        Object.assign(tool, { walks });
        break;
      }
      case "bundles":
        Object.assign(tool, { bundles: words[0] ?? true });
        break;
      case "here":
        Object.assign(tool, { here: words.flatMap(settingsIn) });
        break;
      case "runsTests":
      case "choosesRoot":
      case "loadsByOption":
        Object.assign(tool, { [name]: true });
        break;
      case "packages":
      case "readsPagesWith":
      case "loads":
      case "reads":
        Object.assign(tool, { [name]: words });
        break;
      default:
        throw new Error(`no tool has ${member}: ${row}`);
    }
  }
  return tool;
}

/** The supported programs. A script that runs any other program may read everything in the groups of `SETTINGS`. */
export const TOOLS: readonly Tool[] = rowsOf(TABLE).map(toolIn);
