import { expect, test } from "@jest/globals";
import { unmatchedGlobs } from "./unmatched-globs.js";

const FOLDERS = [".", "packages/a", "packages/b", "apps/web", "packages/a/in"];

test.each<[globs: string[], unmatched: string[]]>([
  [["packages/*", "apps/*"], []],
  [["packages/*", "libs/*"], ["libs/*"]],
  [["packages/a", "packages/c"], ["packages/c"]],
  [["apps/*", "!apps/web", "packages/*"], ["apps/*"]],
  [["packages/**", "!packages/*"], []],
  [["./packages/*/"], []],
  [["."], []],
  [["packages"], ["packages"]],
  [["!nothing"], []],
  [[], []],
])("of %j it is %j", (globs, unmatched) => {
  expect(unmatchedGlobs(globs, FOLDERS)).toEqual(unmatched);
});

test("only those in doubt are asked about", () => {
  const globs = ["packages/*", "libs/*", "docs"];
  expect(unmatchedGlobs(globs, [], ["libs/*", "docs"])).toEqual([
    "libs/*",
    "docs",
  ]);
  expect(unmatchedGlobs(globs, ["docs"], ["libs/*", "docs"])).toEqual([
    "libs/*",
  ]);
});
