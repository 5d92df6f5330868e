import { expect, test } from "@jest/globals";
import { refRefusals, type RefRefusal } from "./refs.js";

/** Existing refs; source and target of each wanted ref; the refusals. */
const table: readonly [
  string,
  readonly string[],
  readonly [string, string][],
  readonly RefRefusal[],
][] = [
  ["names apart from each other", ["refs/tags/a"], [["v1", "refs/tags/b"]], []],
  [
    "a name that exists",
    ["refs/tags/a"],
    [["v1", "refs/tags/a"]],
    [{ code: "ref-exists", ref: "refs/tags/a", from: "v1" }],
  ],
  [
    "a name that two sources want",
    [],
    [
      ["v1", "refs/tags/a"],
      ["1", "refs/tags/a"],
    ],
    [{ code: "refs-collide", ref: "refs/tags/a", one: "v1", other: "1" }],
  ],
  [
    "a file where a ref needs a folder",
    ["refs/tags/a"],
    [["v1", "refs/tags/a/b/c"]],
    [{ code: "ref-conflict", ref: "refs/tags/a/b/c", other: "refs/tags/a" }],
  ],
  [
    "a folder where a ref needs a file",
    ["refs/tags/a/b/c"],
    [["v1", "refs/tags/a"]],
    [{ code: "ref-conflict", ref: "refs/tags/a", other: "refs/tags/a/b/c" }],
  ],
  [
    "two new refs, the file first",
    [],
    [
      ["a", "refs/tags/a"],
      ["a/b", "refs/tags/a/b"],
    ],
    [{ code: "ref-conflict", ref: "refs/tags/a/b", other: "refs/tags/a" }],
  ],
  [
    "two new refs, the folder first",
    [],
    [
      ["a/b", "refs/tags/a/b"],
      ["a", "refs/tags/a"],
    ],
    [{ code: "ref-conflict", ref: "refs/tags/a", other: "refs/tags/a/b" }],
  ],
  [
    "a common prefix that isn't a folder",
    ["refs/tags/a"],
    [["v1", "refs/tags/ab"]],
    [],
  ],
  [
    "a name that git rejects",
    [],
    [["v1", "refs/tags/a..b"]],
    [{ code: "bad-ref-name", ref: "refs/tags/a..b" }],
  ],
];

test.each(table)("%s", (_, existing, wanted, refusals) => {
  expect(
    refRefusals(
      wanted.map(([from, to]) => ({ from, to })),
      new Map(existing.map((ref) => [ref, "id"])),
    ),
  ).toEqual(refusals);
});
