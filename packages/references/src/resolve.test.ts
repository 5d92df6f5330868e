import { posix } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { pathFrom } from "./resolve.js";

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
