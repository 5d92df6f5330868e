import { expect, test } from "@jest/globals";
import { parseManifest } from "../../manifest/manifest.js";
import { compareRootManifests } from "./root-manifest.js";

const base = {
  name: "root",
  private: true,
  packageManager: "yarn@4.18.1",
  workspaces: ["packages/*"],
  scripts: { build: "tsc" },
  devDependencies: { jest: "1", eslint: "2" },
  resolutions: { a: "1" },
  jest: { preset: { x: 1, y: 2 } },
};

const NOTHING = { fields: [], dependencies: false };

test.each<[title: string, change: object, expected: unknown]>([
  ["nothing", {}, NOTHING],
  [
    "the order of keys",
    {
      devDependencies: { eslint: "2", jest: "1" },
      jest: { preset: { y: 2, x: 1 } },
    },
    NOTHING,
  ],
  ["scripts", { scripts: { build: "tsc -b", lint: "eslint" } }, NOTHING],
  ["name and version", { name: "other", version: "2.0.0" }, NOTHING],
  ["workspaces, which the graph compares", { workspaces: ["x"] }, NOTHING],
  ["resolutions, which the lockfile compares", { resolutions: {} }, NOTHING],
  [
    "a dependency",
    { devDependencies: { jest: "2", eslint: "2" } },
    { fields: [], dependencies: true },
  ],
  [
    "a new dependency field",
    { dependencies: { a: "1" } },
    { fields: [], dependencies: true },
  ],
  [
    "the hash of packageManager",
    { packageManager: "yarn@4.18.1+sha224.953c8233" },
    { fields: [], dependencies: false },
  ],
  [
    "packageManager",
    { packageManager: "yarn@4.19.0" },
    { fields: ["packageManager"], dependencies: false },
  ],
  [
    "a field taken away",
    { jest: undefined },
    { fields: ["jest"], dependencies: false },
  ],
  [
    "a new field",
    { type: "module" },
    { fields: ["type"], dependencies: false },
  ],
  [
    "names of modules that files of the root load",
    { imports: { "#x": "./x.js" } },
    { fields: ["imports"], dependencies: false },
  ],
  [
    "a new field that is null",
    { browserslist: null },
    { fields: ["browserslist"], dependencies: false },
  ],
  [
    "a list in another order",
    { browserslist: ["a"] },
    { fields: ["browserslist"], dependencies: false },
  ],
  [
    "dependenciesMeta",
    { dependenciesMeta: { a: { built: false } } },
    { fields: ["dependenciesMeta"], dependencies: false },
  ],
  [
    "both kinds",
    {
      engines: { node: "22" },
      devDependencies: {},
      peerDependencies: { x: "*" },
    },
    { fields: ["engines"], dependencies: true },
  ],
])("%s", (_, change, expected) => {
  const manifest = (fields: object) =>
    parseManifest(JSON.stringify(fields), "package.json");
  expect(
    compareRootManifests(manifest(base), manifest({ ...base, ...change })),
  ).toEqual(expected);
});
