import type { SettingsName, Tool } from "./tool.js";

/** The settings that a transpiler or bundler looks up for any program that loads it. */
export const COMPILES: readonly SettingsName[] = [
  "babel",
  "swc",
  "browserslist",
  "postcss",
  "tailwind",
  "anyTool",
];

/** The settings that ESLint, its parsers and its plug-ins load. */
export const LINTS: readonly SettingsName[] = [
  "eslint",
  "prettier",
  "babel",
  "browserslist",
  "anyTool",
];

/** Plug-ins of ESLint that look up settings of other programs. */
export const LINTS_WITH: NonNullable<Tool["looksUpWith"]> = {
  editorconfig: ["eslint-plugin-prettier", "prettier", "xo"],
  tailwind: [
    "eslint-plugin-tailwindcss",
    "eslint-plugin-better-tailwindcss",
    "eslint-plugin-readable-tailwind",
    "prettier-plugin-tailwindcss",
  ],
  turbo: ["eslint-plugin-turbo", "eslint-config-turbo"],
  nx: [
    "@nx/eslint-plugin",
    "@nx/eslint-plugin-nx",
    "@nrwl/eslint-plugin-nx",
    "@nx/eslint",
  ],
  spelling: ["@cspell/eslint-plugin"],
  graphql: ["@graphql-eslint/eslint-plugin", "eslint-plugin-graphql"],
};
