import { expect, test } from "@jest/globals";
import { findWorkspace } from "./find-workspace.js";

const NAMES = ["@o/cache", "old-cache", "@o/web-app", "@o/cli", "@x/cli"];
const workspaces = new Map(
  NAMES.map((name, index) => [name, { name, dir: `packages/${index}` }]),
);
const find = (word: string) =>
  findWorkspace(word, { workspaces }, { cwd: "/p", root: "/p" }).name;

test.each([
  ["@o/cache", "@o/cache"],
  ["packages/1", "old-cache"],
  ["cache", "@o/cache"],
  ["old-cache", "old-cache"],
  ["app", "@o/web-app"],
])("%s is %s", (word, name) => {
  expect(find(word)).toBe(name);
});

test.each(["cli", "pp", ""])(
  "%j doesn't name exactly one workspace",
  (word) => {
    expect(() => find(word)).toThrow(`no package is called ${word}`);
  },
);
