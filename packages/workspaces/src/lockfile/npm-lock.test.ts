import { expect, test } from "@jest/globals";
import type { PackageFacts } from "../project.js";
import { compareLockfiles } from "./compare.js";
import { readNpmLock } from "./npm-lock.js";

const NAMES = ["a", "b"];
const PACKAGES: readonly PackageFacts[] = NAMES.map((name) => ({
  name: `@m/${name}`,
  dir: `packages/${name}`,
  dependencies: [...(name === "a" ? ["x"] : ["@m/a", "z"]), ...["p"]].map(
    (ident) => ({
      ident,
      range: "^1.0.0",
      field: ident === "p" ? "peerDependencies" : "dependencies",
    }),
  ),
}));

/** `a` uses `x`, which uses `y`; `b` uses `a` and `z`. */
const LOCK = {
  "": { name: "root", workspaces: ["packages/*"] },
  "node_modules/@m/a": { resolved: "packages/a", link: true },
  "node_modules/@m/b": { resolved: "packages/b", link: true },
  "packages/a": { name: "@m/a", version: "1.0.0", dependencies: { x: "1" } },
  "packages/b": { name: "@m/b", version: "1.0.0" },
  "node_modules/x": { version: "1.0.0", dependencies: { y: "1" } },
  "node_modules/y": { version: "1.0.0", integrity: "one" },
  "node_modules/z": { version: "1.0.0", bin: { zed: "z.js" } },
  "node_modules/p": { version: "1.0.0" },
};

/** A replacement in the lockfile, and the changes that result from it: of workspaces, then of external packages. */
const CHANGES: readonly (readonly [
  written: Readonly<Record<string, object | undefined>>,
  workspaces: readonly string[],
  externals: readonly string[],
])[] = [
  [{}, [], []],
  [
    { "node_modules/y": { version: "1.0.0", integrity: "one", dev: true } },
    [],
    [],
  ],
  [{ "packages/a": { name: "@m/a", version: "2.0.0" } }, [], []],
  [
    { "node_modules/y": { version: "1.0.0", integrity: "two" } },
    ["@m/a: y@npm:1.0.0 to y@npm:1.0.0"],
    ["x", "y"],
  ],
  [
    { "node_modules/y": { version: "1.1.0" } },
    ["@m/a: x@npm:1.0.0 to x@npm:1.0.0"],
    ["x", "y"],
  ],
  [
    { "node_modules/z": { version: "1.0.0", bin: { zet: "z.js" } } },
    ["@m/b: z@npm:1.0.0 to z@npm:1.0.0"],
    ["z"],
  ],
  [
    { "node_modules/x/node_modules/y": { version: "2.0.0" } },
    ["@m/a: x@npm:1.0.0 to x@npm:1.0.0"],
    ["x", "y"],
  ],
  [
    { "packages/b/node_modules/z": { version: "2.0.0" } },
    ["@m/b:  to z@npm:2.0.0"],
    ["z"],
  ],
  [{ "node_modules/z/node_modules/x": LOCK["node_modules/x"] }, [], []],
  [{ "node_modules/p": { version: "2.0.0" } }, [], ["p"]],
  [{ "node_modules/other": { version: "1.0.0" } }, [], ["other"]],
  [{ "node_modules/z": undefined }, ["@m/b: z@npm:1.0.0 to z@^1.0.0"], ["z"]],
];

test.each(CHANGES)("%j", (written, workspaces, externals) => {
  const read = (packages: object) => {
    const lock = readNpmLock(JSON.stringify({ lockfileVersion: 3, packages }));
    if (!lock) throw new Error("not read");
    return lock;
  };
  const found = compareLockfiles(
    read(LOCK),
    read({ ...LOCK, ...written }),
    PACKAGES,
  );
  expect(
    Array.from(
      found.workspaces,
      ([name, { before, after }]) => `${name}: ${before.join()} to ${after}`,
    ),
  ).toEqual(workspaces);
  expect([...found.externals.keys()].sort()).toEqual(externals);
});

test.each(["", "[]", '{"lockfileVersion":1}', '{"packages":{"":1}}'])(
  "%j is not compared",
  (text) => {
    expect(readNpmLock(text)).toBeUndefined();
  },
);
