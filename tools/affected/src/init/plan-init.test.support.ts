import { expect } from "@jest/globals";
import { parseSettings } from "@skein/workspaces";
import type { Look } from "./look.js";
import { planInit } from "./plan-init.js";

export const PIN = "1".repeat(40);
export const manifest = '{\n  "name": "shop",\n  "devDependencies": {}\n}\n';

/** Returns a workspace with an app, a library that it needs, and a root; `files` and `more` override parts of it. */
export function look(
  files: Look["files"] = {},
  more: Partial<Look> = {},
): Look {
  return {
    version: "0.1.0",
    range: undefined,
    plugin: undefined,
    engine: "github-actions",
    pin: PIN,
    defaultBranch: "main",
    isBranchFound: true,
    isTop: true,
    packages: [
      { name: "shop", dir: ".", scripts: { lint: "eslint ." } },
      {
        name: "@shop/app",
        dir: "app",
        scripts: { build: "tsc", test: "jest" },
      },
      {
        name: "@shop/lib",
        dir: "lib",
        scripts: { build: "tsc", test: "vitest" },
      },
    ],
    unowned: ["package.json", "tsconfig.base.json"],
    files: { "package.json": manifest, ...files },
    ...more,
  };
}

export const workflow = (file: string) => `.github/workflows/${file}`;
export const paths = (asked: Look) =>
  planInit(asked).files.map(({ path }) => path);
export const written = (asked: Look, path: string) =>
  planInit(asked).files.find((file) => file.path === path)?.after;
/** Returns the content of skein.json without the part that every workspace with our workflows gets. */
export const settings = (asked: Look) => {
  const text = written(asked, "skein.json") ?? "{}";
  parseSettings(text);
  const { metrics, ...rest } = JSON.parse(text) as Record<string, unknown>;
  expect(metrics).toEqual({ until: "merged" });
  return rest;
};
