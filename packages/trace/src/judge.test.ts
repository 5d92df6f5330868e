import { expect, test } from "@jest/globals";
import type { NoEffect } from "@skein/workspaces";
import { findMisses, findUnusedEdges, type Selection } from "./judge.js";
import type { UnitTrace } from "./unit-trace.js";

const OWNERS = ["a", "b", "c", "d"];

/** Returns a selection with the given effect of each path. */
function selection(
  selects: Readonly<Record<string, readonly string[] | NoEffect>>,
): () => Selection {
  return () => ({
    root: "root",
    effectOf(path) {
      const effect = selects[path] ?? [];
      return typeof effect === "string"
        ? { selects: new Set(), noEffect: effect }
        : { selects: new Set(effect), noEffect: undefined };
    },
    ownerOf(path) {
      const name = OWNERS.find((each) => path.startsWith(`${each}/`));
      return name === undefined
        ? { name: "root", dir: "." }
        : { name, dir: name };
    },
  });
}

function trace(unit: string, more: Partial<UnitTrace>): UnitTrace {
  const [workspace = "", script = ""] = unit.split("#");
  const none: readonly string[] = [];
  return {
    ...{ unit, workspace, script, passed: true },
    ...{ read: none, executed: none, links: none, missing: none, found: none },
    ...{
      listed: none,
      externals: [],
      linked: none,
      notInstalled: none,
      generated: [],
      changed: none,
    },
    gaps: [],
    listsInstalled: false,
    ...more,
  };
}

const reported = (traces: readonly UnitTrace[], knows: () => Selection) =>
  findMisses(traces, knows).map(({ unit, owners, files, through, fix }) => [
    unit,
    owners.join(),
    files,
    through,
    fix,
  ]);

test("a file is accounted for if its change would select the package", () => {
  const knows = selection({
    "a/x": ["a"],
    "b/x": ["a", "b"],
    "yarn.lock": "compared-by-meaning",
  });
  expect(
    reported(
      [
        trace("a#test", {
          read: ["a/x", "b/x", "yarn.lock"],
          found: ["c/x"],
          listed: ["c"],
        }),
      ],
      knows,
    ),
  ).toEqual([]);
});

test.each([
  [
    "another package, by a path",
    { read: ["b/x", "b/y"] },
    {},
    ["b", ["b/x", "b/y"], "implicit"],
  ],
  [
    "another package, by its name",
    { executed: ["b/x"], linked: ["b"] },
    {},
    ["b", ["b/x"], "dependency"],
  ],
  [
    "a test of a dependency",
    { read: ["b/x.test"] },
    { "b/x.test": ["b"], "b/package.json": ["a"] },
    ["b", ["b/x.test"], "test"],
  ],
  [
    "documentation of its own",
    { read: ["a/docs/x"] },
    { "a/docs/x": "documentation", "a/package.json": ["a"] },
    ["a", ["a/docs/x"], "inputs"],
  ],
  [
    "files outside of the script's inputs",
    { read: ["a/x"] },
    { "a/x": "not-an-input", "a/package.json": ["a"] },
    ["a", ["a/x"], "not-an-input"],
  ],
  [
    "ignored files in the settings",
    { read: ["a/x"] },
    { "a/x": "settings-ignore" },
    ["a", ["a/x"], "ignored"],
  ],
  [
    "a file outside of all packages",
    { links: ["data"] },
    { data: "outside-project" },
    ["root", ["data"], "unowned"],
  ],
] as const)("a miss: %s", (_, given, knows, [owner, files, fix]) => {
  expect(reported([trace("a#test", given)], selection(knows))).toEqual([
    ["a#test", owner, files, undefined, fix],
  ]);
});

test("files with the same fix are one miss", () => {
  const read = ["b/x", "c/x", "c/package.json", "d/package.json", "data"];
  expect(reported([trace("a#test", { read })], selection({}))).toEqual([
    [
      "a#test",
      "b,c,d",
      ["b/x", "c/x", "c/package.json", "d/package.json"],
      undefined,
      "implicit",
    ],
    ["a#test", "root", ["data"], undefined, "unowned"],
  ]);
});

test("the manifests that a program reads because it lists all packages are one miss", () => {
  const manifests = OWNERS.map((name) => `${name}/package.json`);
  const knows = selection({ "a/package.json": ["a"] });
  const unit = trace("a#test", { read: manifests });
  expect(reported([unit], knows)).toEqual([
    ["a#test", "b,c,d", manifests.slice(1), undefined, "manifests"],
  ]);
  // Other files of a package are a miss of their own, and so are its manifests.
  const more = trace("a#test", {
    read: [...manifests, "e/package.json", "b/x"],
  });
  expect(
    reported([more], knows).map(([, owners, , , fix]) => [owners, fix]),
  ).toEqual([
    ["b,c,d", "implicit"],
    ["root", "unowned"],
  ]);
  // A unit whose products were used reports the same manifests only once.
  const made = { generated: [{ path: "b/dist", madeBy: "b#build" }] };
  expect(
    reported(
      [
        trace("a#test", { read: manifests, ...made }),
        trace("b#build", { read: manifests }),
      ],
      selection({ "a/package.json": ["a"], "b/package.json": ["b"] }),
    ),
  ).toEqual([
    ["a#test", "b,c,d", manifests.slice(1), undefined, "manifests"],
    [
      "b#build",
      "a,c,d",
      ["a", "c", "d"].map((name) => `${name}/package.json`),
      undefined,
      "manifests",
    ],
  ]);
});

test("the inputs of a unit's products count for the unit, through any number of units", () => {
  const made = (path: string, madeBy: string) => ({
    generated: [{ path, madeBy }],
  });
  const traces = [
    trace("c#build", { read: ["c/x"] }),
    trace("b#build", { read: ["b/x"], ...made("c/dist", "c#build") }),
    trace("a#test", { read: ["a/x"], ...made("b/dist", "b#build") }),
  ];
  const knows = selection({
    "c/x": ["b", "c"],
    "b/x": ["a", "b"],
    "a/x": ["a"],
  });
  expect(reported(traces, knows)).toEqual([
    ["a#test", "c", ["c/x"], "c#build", "implicit"],
  ]);
});

test("edges that no complete recording used are unused", () => {
  const edge = (from: string, to: string) => ({
    from,
    to,
    kind: "dependencies",
    evidence: "x",
  });
  const unused = findUnusedEdges(
    [
      trace("a#build", { read: ["b/x"] }),
      trace("a#test", { found: ["bc/x"] }),
      trace("b#test", { gaps: [{ kind: "left-behind" }] }),
    ],
    [
      edge("a", "b"),
      edge("a", "c"),
      edge("b", "c"),
      edge("c", "a"),
      edge("a", "root"),
    ],
    (name) => (name === "root" ? "." : name),
  );
  expect(unused).toEqual([edge("a", "c")]);
});
