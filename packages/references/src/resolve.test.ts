import { posix } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { mayEndWith, pathFrom } from "./resolve.js";

test("a path from a folder is what joining both makes", () => {
  const part = fc.constantFrom(
    "a",
    "b.c",
    "@d",
    ".e",
    "..f",
    "..",
    ".",
    "",
    "g-1.ts",
  );
  const dir = fc
    .array(fc.constantFrom("x", "y.z", ".w"), { maxLength: 3 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(
      dir,
      fc.constantFrom("./", "../", "../../", ""),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join("/")),
      (dir, dots, rest) => {
        const joined = posix.join(dir, `${dots}${rest}` || ".");
        const path = joined.replace(/\/$/, "");
        const holdsProject = /^\.\.(\/\.\.)*$/.test(path);
        expect(pathFrom(dir, `${dots}${rest}`, false)).toBe(
          holdsProject ? undefined : path === "." ? "" : path,
        );
      },
    ),
    { numRuns: 1000 },
  );
});

test.each([
  ["a/w.dev.js", ".dev.js", true],
  ["a/w.dev.ts", ".dev.js", true],
  ["a/w.dev/index.ts", ".dev.js", true],
  ["a/w.js/package.json", ".js", true],
  ["a/w.dev.css", ".dev.js", false],
  ["a/w.dev.css", ".js", false],
  ["a/w.css", ".css", true],
  ["a/w.dev.js", ".dev", true],
  ["a/w.dev.css", "", true],
])("%s may be a target that ends with %s: %s", (path, suffix, may) => {
  expect(mayEndWith(path, suffix)).toBe(may);
});
