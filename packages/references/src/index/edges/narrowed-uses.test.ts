import { expect, test } from "@jest/globals";
import { graphOf } from "../graph-of.test.support.js";

/** `b` uses `c` without declaring it, and `a` loads only the module of `b` that doesn't. */
const FILES = {
  a: { "index.js": `import "b/alone.js";` },
  b: { "alone.js": "", "with-c.js": `import "c/index.js";` },
  c: { "index.js": "" },
};
const declaresB = { dependencies: { b: "workspace:^" } };

test("an undeclared dependency doesn't matter to a dependent that loads other modules", async () => {
  const { edges, narrowed } = (await graphOf(FILES, { a: declaresB })).edges();
  expect(edges).toMatchObject([{ from: "b", to: "c" }]);
  expect(narrowed).toEqual([{ from: "a", to: "b", onward: [] }]);
});

test.each<[title: string, ...Parameters<typeof graphOf>]>([
  [
    "it loads that module",
    { ...FILES, a: { "index.js": `import "b/with-c.js";` } },
    { a: declaresB },
  ],
  [
    "it runs a program that loads that module",
    FILES,
    { a: declaresB, b: { bin: "with-c.js" } },
  ],
  [
    "the manifest of the dependency uses it",
    FILES,
    { a: declaresB, b: { scripts: { postinstall: "node ../c/index.js" } } },
  ],
  [
    "one of its external packages loads the dependency",
    FILES,
    { a: declaresB },
    { a: ["b"] },
  ],
])("it matters if %s", async (_, ...project) => {
  const { edges, narrowed } = (await graphOf(...project)).edges();
  expect(edges).toContainEqual(expect.objectContaining({ from: "b", to: "c" }));
  expect(narrowed.filter(({ from }) => from === "a")).toEqual([]);
});
