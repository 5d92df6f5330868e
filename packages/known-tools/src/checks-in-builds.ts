import type { SettingsName } from "./tool.js";

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
