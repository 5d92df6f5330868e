import type { SettingsName } from "./tool.js";

/** The packages that a program loads because of an option, by the program and the option. */
export const LOADED_BY_OPTION: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ["vitest --coverage", ["@vitest/coverage-v8"]],
    ["vitest --coverage.enabled", ["@vitest/coverage-v8"]],
    ["vitest --ui", ["@vitest/ui"]],
    ["vitest --browser", ["@vitest/browser"]],
    ["vitest --dom", ["happy-dom"]],
    ["tsup --dts", ["typescript"]],
    ["webpack serve", ["webpack-dev-server"]],
    ["webpack --analyze", ["webpack-bundle-analyzer"]],
    ["astro check", ["@astrojs/check"]],
  ],
);

/** The package that a program loads if settings have a field, except if they name another one in the field `unless`. */
export const LOADED_BY_FIELD: Readonly<
  Record<string, { readonly unless?: string; readonly name: string }>
> = {
  coverage: { unless: "provider", name: "@vitest/coverage-v8" },
  browser: { name: "@vitest/browser" },
};

/** The packages with which a program loads its own settings in TypeScript, by the beginning of the file's name. */
export const LOADERS_OF_SETTINGS = {
  jest: ["ts-node", "esbuild-register"],
  eslint: ["jiti"],
  webpack: ["ts-node", "esbuild-register", "sucrase"],
  karma: ["ts-node"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The packages with which bundlers compile a language, although no file names them: the first one that is installed. */
export const COMPILERS = {
  sass: ["sass", "sass-embedded", "node-sass"],
  less: ["less"],
  stylus: ["stylus"],
  pug: ["pug"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Plug-ins of bundlers that check the code during a build, and the settings that they look up. */
export const CHECKS_IN_BUILDS: readonly (readonly [
  plugin: string,
  settings: SettingsName,
])[] = [
  ["vite-plugin-eslint", "eslint"],
  ["vite-plugin-eslint2", "eslint"],
  ["@nabla/vite-plugin-eslint", "eslint"],
  ["vite-plugin-checker", "eslint"],
  ["eslint-webpack-plugin", "eslint"],
  ["eslint-rspack-plugin", "eslint"],
  ["eslint-loader", "eslint"],
  ["@rollup/plugin-eslint", "eslint"],
  ["vite-plugin-checker", "stylelint"],
  ["vite-plugin-stylelint", "stylelint"],
  ["stylelint-webpack-plugin", "stylelint"],
];

/**
 * Packages of frameworks and generators that load files of other packages from fixed places, without any setting that names
 * them: an Ember add-on's `addon/`, a Gatsby plug-in's `gatsby-node.js`, a Grunt plug-in's `tasks/`, a Yeoman generator's
 * `generators/`, the pages of Next.js. A package with such a name, or with such a dependency, may be used in ways that no
 * file shows.
 */
export const LOADED_BY_CONVENTION =
  /^(?:@(?:angular|astrojs|docusaurus|ember|embroider|expo|gatsbyjs|nuxt|redwoodjs|remix-run|react-router|storybook|strapi|sveltejs|vuepress)\/.*|(?:@[^/]+\/)?(?:astro|cordova|docusaurus|ember|expo|fumadocs|gatsby|generator|grunt|hexo|hubot|hygen|metalsmith|moleculer|nativescript|next|nextra|nuxt|nuxt3|plop|redwood|sails|storybook|strapi|vitepress|vuepress|yeoman)(?:-.*)?)$/;
