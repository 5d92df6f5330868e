import { expect, test } from "@jest/globals";
import { edgesOf } from "../graph-of.test.support.js";

interface Case {
  /** The scripts of the package `a`. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string>>;
  readonly b?: Readonly<Record<string, unknown>>;
  readonly c?: Readonly<Record<string, unknown>>;
}

test.each<[title: string, one: Case, edges: readonly string[]]>([
  [
    "the only package that has it",
    { scripts: { x: "yarn b:x" }, b: { scripts: { "b:x": "echo" } } },
    ["a -> b"],
  ],
  [
    "one of two packages, so that it is nobody's",
    {
      scripts: { x: "yarn b:x" },
      b: { scripts: { "b:x": "echo" } },
      c: { scripts: { "b:x": "echo" } },
    },
    [],
  ],
  [
    "its own package",
    {
      scripts: { x: "yarn b:x", "b:x": "echo" },
      b: { scripts: { "b:x": "echo" } },
    },
    [],
  ],
  [
    "the root, which calls another script of the root",
    {
      scripts: { x: "yarn run -T one" },
      root: { one: "yarn two", two: "node packages/b/run.js" },
    },
    ["a -> b"],
  ],
  [
    "a program that a package provides",
    { scripts: { x: "yarn run -T tool" }, b: { bin: { tool: "run.js" } } },
    ["a -> b"],
  ],
])("a script calls that of %s", async (_, { scripts, root, b, c }, edges) => {
  const files = { "run.js": "" };
  expect(
    await edgesOf(
      { a: {}, b: files, c: files },
      {
        ".": { scripts: root ?? {} },
        a: { scripts },
        b: b ?? {},
        c: c ?? {},
      },
    ),
  ).toEqual(edges);
});
