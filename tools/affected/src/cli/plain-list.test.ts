import { expect, test } from "@jest/globals";
import { parseCli } from "../cli.js";
import { plainList } from "./plain-list.js";
import { COMPARE_FLAGS, isSwitch, LIST_FLAGS, nameOf } from "./select-flags.js";

const out = { write: () => true };
const parsed = (argv: readonly string[]) =>
  parseCli({ argv, stdout: out, stderr: out });

const FLAGS = ["--committed", "--json", "--no-source-edges", "--table"];
const switches = [...COMPARE_FLAGS, ...LIST_FLAGS].filter(isSwitch).map(nameOf);
const subsets = FLAGS.reduce<string[][]>(
  (sets, flag) => sets.flatMap((set) => [set, [...set, flag]]),
  [[]],
);

test("supports every flag without a value", () => {
  expect(switches.toSorted()).toEqual(FLAGS);
});

test("returns the same as the parser, for any flags in any order", () => {
  const lines = [
    ...subsets,
    ...subsets.map((flags) => flags.toReversed()),
    ["--json", "--json"],
  ].map((flags) => ["list", ...flags]);
  expect(lines.map(plainList)).toStrictEqual(lines.map(parsed));
});

test.each([
  [[]],
  [["--committed"]],
  [["test"]],
  [["why", "--json"]],
  [["list", "--committed", "--base", "main"]],
  [["list", "--commited"]],
  [["list", "--json=yes"]],
  [["list", "--", "--json"]],
  [["list", "--help"]],
  [["list", "x"]],
])("leaves %j to the parser", (argv) => {
  expect(plainList(argv)).toBeUndefined();
});
