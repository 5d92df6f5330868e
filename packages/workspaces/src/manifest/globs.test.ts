import { expect, test } from "@jest/globals";
import { compileWorkspaceGlobs } from "./globs.js";

const FOLDERS = [
  "packages/.hid",
  "packages/a",
  "packages/a/node_modules/x",
  "packages/b",
  "packages/c",
  "packages/c/inner",
  "packages/d/e/f",
  "node_modules/y",
  "packages/.yarn/z",
];

// Each row is the output of `yarn workspaces list` in Yarn 4.18 for these folders.
test.each<[globs: string[], folders: string[]]>([
  [
    ["!packages/a", "packages/*"],
    ["packages/b", "packages/c"],
  ],
  [
    ["packages/*", "!packages/a"],
    ["packages/b", "packages/c"],
  ],
  [
    ["packages/*", "!packages/a", "packages/a"],
    ["packages/b", "packages/c"],
  ],
  [
    ["packages/**"],
    [
      "packages/a",
      "packages/b",
      "packages/c",
      "packages/c/inner",
      "packages/d/e/f",
    ],
  ],
  [
    ["**"],
    [
      "packages/a",
      "packages/b",
      "packages/c",
      "packages/c/inner",
      "packages/d/e/f",
    ],
  ],
  [["./packages/a/"], ["packages/a"]],
  [["packages/.*"], ["packages/.hid"]],
  [["packages/{a,b}"], ["packages/a", "packages/b"]],
  [["packages/a"], ["packages/a"]],
  [["packages/*/"], ["packages/a", "packages/b", "packages/c"]],
  [["!packages/a"], []],
  [["*/[ab]"], ["packages/a", "packages/b"]],
  [
    ["packages/*", "!./packages/a"],
    ["packages/b", "packages/c"],
  ],
  [
    ["packages/*", "!packages/a/"],
    ["packages/b", "packages/c"],
  ],
  [
    ["packages/**", "!**/inner"],
    ["packages/a", "packages/b", "packages/c", "packages/d/e/f"],
  ],
  [["packages/!(a)"], ["packages/.hid", "packages/b", "packages/c"]],
  [["packages/+(a|b)"], ["packages/a", "packages/b"]],
  [["packages/**/f"], ["packages/d/e/f"]],
  [["packages\\a"], []],
  [["PACKAGES/a"], []],
  [["packages//a"], ["packages/a"]],
  [
    ["packages/*", "!packages"],
    ["packages/a", "packages/b", "packages/c"],
  ],
  [["packages/d/**", "!packages/d"], ["packages/d/e/f"]],
  [["nothing/*"], []],
  [[], []],
])("%j", (globs, folders) => {
  const isWorkspace = compileWorkspaceGlobs(globs);
  expect(FOLDERS.filter(isWorkspace).toSorted()).toEqual(folders.toSorted());
});
