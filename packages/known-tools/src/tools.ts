import type { Tool } from "./tool.js";
import { CHECKERS } from "./checkers.js";
import { COMPILES, LINTS_WITH } from "./lookups.js";

/**
 * The supported programs, one entry each. A script that runs any other program may read everything in the groups of
 * `SETTINGS`.
 */
export const TOOLS: readonly Tool[] = [
  // Test runners.
  {
    programs: ["jest", "jest-cli"],
    purpose: "run",
    looksUp: ["jest", "mocks", ...COMPILES],
  },
  {
    programs: ["vitest"],
    purpose: "run",
    looksUp: ["vitest", "vite", "mocks", ...COMPILES],
  },
  {
    programs: ["mocha", "_mocha", "mochapack"],
    purpose: "run",
    looksUp: ["mocha", ...COMPILES],
  },
  { programs: ["ava"], purpose: "run", looksUp: ["ava", ...COMPILES] },
  {
    programs: ["tap"],
    purpose: "run",
    looksUp: ["tap", "coverage", ...COMPILES],
  },
  { programs: ["jasmine"], purpose: "run", looksUp: ["jasmine", ...COMPILES] },
  {
    programs: ["puppeteer"],
    packages: ["puppeteer-core"],
    purpose: "run",
    looksUp: ["puppeteer"],
  },
  {
    programs: ["karma"],
    purpose: "run",
    looksUp: ["karma", "webpack", "rollup", "vite", ...COMPILES],
    loads: ["karma-"],
  },
  {
    programs: ["playwright"],
    packages: ["@playwright/test"],
    purpose: "run",
    looksUp: ["playwright", "vite", ...COMPILES],
  },
  {
    programs: ["cypress"],
    purpose: "run",
    looksUp: ["cypress", "vite", "webpack", ...COMPILES],
  },
  { programs: ["nyc", "c8"], purpose: "run", looksUp: ["coverage"] },
  {
    programs: ["tsd", "tstyche", "dtslint", "attw", "publint"],
    purpose: "check",
    looksUp: [],
  },
  // Compilers and bundlers.
  {
    programs: ["tsc", "vue-tsc", "tsgo", "ttsc", "tspc"],
    packages: ["typescript"],
    purpose: "build",
    looksUp: [],
  },
  { programs: ["tsc-alias", "resolve-tspaths"], purpose: "build", looksUp: [] },
  {
    programs: ["babel", "babel-node"],
    packages: ["@babel/core", "@babel/cli", "@babel/register", "@babel/node"],
    purpose: "build",
    looksUp: COMPILES,
  },
  {
    programs: ["swc", "spack"],
    packages: ["@swc/core", "@swc/cli", "@swc-node/register"],
    purpose: "build",
    looksUp: COMPILES,
  },
  { programs: ["esbuild"], purpose: "build", looksUp: [] },
  {
    programs: [
      "webpack",
      "webpack-cli",
      "webpack-dev-server",
      "rspack",
      "rsbuild",
      "rslib",
    ],
    packages: ["@rspack/core", "@rsbuild/core"],
    purpose: "build",
    looksUp: ["webpack", "rspack", ...COMPILES],
  },
  {
    programs: ["rollup", "microbundle", "bunchee"],
    purpose: "build",
    looksUp: ["rollup", ...COMPILES],
  },
  {
    programs: ["vite", "vite-node"],
    purpose: "build",
    looksUp: ["vite", ...COMPILES],
  },
  {
    programs: ["tsup", "tsdown", "unbuild", "pkgroll", "bob", "api-extractor"],
    packages: ["@microsoft/api-extractor"],
    purpose: "build",
    looksUp: ["tsup", "apiExtractor", ...COMPILES],
  },
  { programs: ["parcel"], purpose: "build", looksUp: ["parcel", ...COMPILES] },
  {
    programs: ["sass", "node-sass", "lessc", "stylus"],
    purpose: "build",
    looksUp: [],
  },
  {
    programs: ["postcss", "tailwindcss"],
    purpose: "build",
    looksUp: ["postcss", "tailwind", "browserslist"],
  },
  {
    programs: ["graphql-codegen", "gql-gen"],
    packages: ["@graphql-codegen/cli"],
    purpose: "build",
    looksUp: ["graphql", ...COMPILES],
  },
  {
    programs: [
      "protoc",
      "grpc_tools_node_protoc",
      "buf",
      "openapi-typescript",
      "openapi-generator-cli",
      "json2ts",
    ],
    packages: ["grpc-tools", "@openapitools/openapi-generator-cli"],
    purpose: "build",
    looksUp: [],
  },
  // Site generators. They read pages that no file names.
  {
    programs: ["docusaurus"],
    packages: ["@docusaurus/core"],
    purpose: "build",
    looksUp: COMPILES,
    reads: ["{docs,blog,versioned_docs,i18n,static}/**", "src/pages/**"],
  },
  {
    programs: ["vitepress", "vuepress"],
    purpose: "build",
    looksUp: ["vite", ...COMPILES],
    reads: ["**/*.md", "docs/**"],
  },
  {
    programs: [
      "astro",
      "nextra",
      "eleventy",
      "@11ty/eleventy",
      "honkit",
      "slidev",
      "gatsby",
      "hexo",
      "mkdocs",
      "starlight",
      "dumi",
      "rspress",
    ],
    purpose: "build",
    looksUp: ["vite", "webpack", ...COMPILES],
    reads: ["**/*.{md,mdx,markdown,rst,adoc}", "docs/**"],
  },
  {
    programs: ["nuxt", "nuxi", "remix", "react-router", "svelte-kit"],
    packages: ["@sveltejs/kit", "@remix-run/dev"],
    purpose: "build",
    looksUp: ["vite", "webpack", ...COMPILES],
    reads: ["**/*.{md,mdx}"],
  },
  // These check the code too: `next build`, `ng lint`.
  {
    programs: ["next", "ng"],
    packages: ["@angular/cli"],
    purpose: "build",
    looksUp: ["angular", "vite", "webpack", "eslint", ...COMPILES],
    looksUpWith: LINTS_WITH,
    reads: ["**/*.{md,mdx}"],
  },
  {
    programs: [
      "storybook",
      "start-storybook",
      "build-storybook",
      "test-storybook",
    ],
    packages: ["@storybook/core"],
    purpose: "build",
    looksUp: ["storybook", "vite", "webpack", ...COMPILES],
    reads: ["**/*.{md,mdx}"],
  },
  {
    programs: ["typedoc"],
    purpose: "check",
    looksUp: ["typedoc"],
    reads: ["**/*.md"],
  },
  {
    programs: ["react-native", "expo", "metro"],
    purpose: "build",
    // `expo lint` runs ESLint.
    looksUp: ["metro", "eslint", ...COMPILES],
    looksUpWith: LINTS_WITH,
  },
  ...CHECKERS,
  // Other languages, native code, images.
  {
    programs: ["cargo", "rustc", "wasm-pack", "napi", "neon", "maturin"],
    purpose: "build",
    looksUp: ["cargo"],
  },
  {
    programs: ["go", "gofmt", "golangci-lint"],
    purpose: "build",
    looksUp: ["go"],
  },
  {
    programs: [
      "python",
      "python3",
      "pip",
      "pip3",
      "uv",
      "poetry",
      "pytest",
      "tox",
      "hatch",
      "ruff",
      "mypy",
    ],
    purpose: "build",
    looksUp: ["python"],
  },
  {
    programs: ["bundle", "ruby", "rake", "pod", "fastlane"],
    purpose: "build",
    looksUp: ["ruby"],
    // `bundle exec jekyll build`
    reads: ["**/*.{md,markdown}"],
  },
  {
    programs: ["gradle", "gradlew", "./gradlew"],
    purpose: "build",
    looksUp: ["gradle"],
  },
  {
    programs: [
      "cmake",
      "node-gyp",
      "node-gyp-build",
      "prebuildify",
      "prebuild-install",
    ],
    purpose: "build",
    looksUp: ["cmake"],
  },
  {
    programs: ["docker", "docker-compose", "podman"],
    purpose: "build",
    looksUp: ["docker"],
  },
];
