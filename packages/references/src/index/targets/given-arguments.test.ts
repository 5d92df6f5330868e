import { expect, test } from "@jest/globals";
import { edgesOf } from "../graph-of.test.support.js";

/** A program of the root that reads a folder of packages by the name in its argument. */
const PROGRAM = `
const { readFileSync } = require("fs");
const { join } = require("path");
readFileSync(join(__dirname, "../packages", process.argv[2], "part.txt"));
`;

test.each<[title: string, scripts: object, to: readonly string[]]>([
  ["a name", { build: "node ../../scripts/program.cjs b" }, ["b"]],
  [
    "the names in two scripts",
    {
      build: "node ../../scripts/program.cjs b",
      more: "node ../../scripts/program.cjs c",
    },
    ["b", "c"],
  ],
  [
    "the value of an option",
    { build: "node ../../scripts/program.cjs --of=b" },
    ["b"],
  ],
  [
    "the value of a short option",
    { build: "node ../../scripts/program.cjs -pb" },
    ["b"],
  ],
  [
    "a folder in a package",
    { build: "node ../../scripts/program.cjs b/src" },
    ["b"],
  ],
  [
    "the folder of all packages",
    { build: "node ../../scripts/program.cjs ." },
    ["b", "c"],
  ],
  ["a variable", { build: "node ../../scripts/program.cjs $NAME" }, ["b", "c"]],
  ["no argument", { build: "node ../../scripts/program.cjs" }, ["b", "c"]],
  [
    "a variable after a path as Windows writes it",
    { build: String.raw`node ..\..\scripts\program.cjs $NAME` },
    ["b", "c"],
  ],
  [
    "a variable of a script that calls it",
    { build: "node ../../scripts/program.cjs b", all: "yarn build $NAME" },
    ["b", "c"],
  ],
  [
    "a name that a script which calls it adds",
    { build: "node ../../scripts/program.cjs b", all: "yarn build c" },
    ["b", "c"],
  ],
  [
    "a variable of a command that doesn't call it",
    {
      build: "node ../../scripts/program.cjs b",
      all: "yarn build && echo $NAME",
    },
    ["b"],
  ],
])("a script gives a program %s", async (_, scripts, to) => {
  const part = { "part.txt": "" };
  const edges = await edgesOf(
    { ".": { "scripts/program.cjs": PROGRAM }, a: {}, b: part, c: part },
    { a: { scripts } },
  );
  expect(edges).toEqual(to.map((name) => `a -> ${name}`));
});
