import { expect, test } from "@jest/globals";
import { mayMatch } from "./may-match.js";

test.each([
  ["", undefined],
  ["# dist", undefined],
  ["dist", ["dist/a.js", "lib/Dist-1/b.js"]],
  ["/lib/*.JS", ["lib/Dist-1/b.js", "lib/deep/c.js"]],
  ["/lib/*.test.JS", []],
  ["*.log", []],
  ["node_modules/.cache/", []],
  // The pattern includes the parent folder, so other files in it may be packed.
  ["!lib/nothing", ["lib/Dist-1/b.js", "lib/deep/c.js"]],
  ["!**/nothing", "all"],
  ["*", "all"],
  ["{dist,build}", "all"],
  ["../dist", "all"],
  ["[Dd]ist", "all"],
])("%j", (line, expected) => {
  const paths = ["dist/a.js", "lib/Dist-1/b.js", "lib/deep/c.js"];
  const may = mayMatch(line);
  expect(may && paths.filter(may)).toEqual(
    expected === "all" ? paths : expected,
  );
  expect(may?.("é")).toBe(may && true);
});
