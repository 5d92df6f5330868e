import { expect, test } from "@jest/globals";
import type { UnitTrace } from "../unit-trace.js";
import { makeEvidence, verify } from "./evidence.js";
import type { Evidence, EvidenceWorld, Mismatch } from "./evidence.js";
import { packEvidence, unpackEvidence } from "./pack.js";
import { yielding } from "./yield.js";
import type { AffectedPackage, Reason } from "@skein/workspaces";

const world: EvidenceWorld = {
  entry: (path) =>
    path === "d"
      ? "folder"
      : path.startsWith("no")
        ? undefined
        : `file ${path}`,
  names: (folder) => [folder],
  locked: (name) => [name],
  variables: (path) => (path === "x" ? ["V"] : []),
  values: (names) => names.join(),
  unit: (id) => ({
    command: `run ${id}`,
    version: "1.0.0",
    dependsOn: id === "b#build" ? [] : ["b#build"],
  }),
  surroundings: "node 20",
};
const trace: UnitTrace = {
  ...{ unit: "a#test", workspace: "a", script: "test", passed: true },
  ...{ read: ["x"], executed: [], links: [], missing: ["no"], found: ["d"] },
  ...{
    listed: ["d"],
    linked: ["l"],
    notInstalled: ["n"],
    listsInstalled: true,
    changed: [],
    gaps: [],
  },
  externals: [{ name: "f", folder: "node_modules/f" }],
  generated: [{ path: "b/dist/x", madeBy: "b#build" }],
};
const build: UnitTrace = {
  ...{ ...trace, unit: "b#build", workspace: "b", generated: [] },
  ...{ missing: [], read: ["y"], listsInstalled: false },
};
const [maker, evidence] = makeEvidence([build, trace], world);

const check = (
  now: Partial<EvidenceWorld>,
  known: readonly (Evidence | undefined)[] = [evidence, maker],
) =>
  verify("a#test", (unit) => known.find((each) => each?.unit === unit), {
    ...world,
    ...now,
  });

test("evidence holds if nothing differs", () => {
  expect(check({})).toBeUndefined();
});

test("evidence holds beside caches of tools that the recorded run didn't have", () => {
  const caches = ["no/node_modules/.cache", "no/node_modules/.vite/vitest/x"];
  const others = ["no/node_modules/.bin", "no/x/.cache", "no/.vite/deps"];
  const [made] = makeEvidence(
    [{ ...build, missing: [...caches, ...others] }],
    world,
  );
  expect(made?.missing).toEqual([...others].sort());
});

const unit = "a#test";
const rows: readonly (readonly [string, Partial<EvidenceWorld>, Mismatch])[] = [
  [
    "a file that it read",
    { entry: (path) => (path === "x" ? "file 2" : world.entry(path)) },
    { kind: "entry", unit, name: "x" },
  ],
  [
    "the executable bit of a file",
    { entry: (path) => (path === "x" ? "program x" : world.entry(path)) },
    { kind: "entry", unit, name: "x" },
  ],
  [
    "a missing file that it looked up",
    { entry: (path) => world.entry(path) ?? "file 1" },
    { kind: "missing", unit, name: "no" },
  ],
  [
    "a folder that it listed",
    { names: () => [] },
    { kind: "folder", unit, name: "d" },
  ],
  [
    "an installed package",
    { locked: (name) => (name === "f" ? ["f 2"] : [name]) },
    { kind: "external", unit, name: "f" },
  ],
  [
    "a missing package that it looked up",
    { locked: (name) => (name === "n" ? ["n 1"] : [name]) },
    { kind: "external", unit, name: "n" },
  ],
  [
    "any package, after it listed the installed ones,",
    { locked: (name) => (name === "*" ? ["other"] : [name]) },
    { kind: "external", unit, name: "*" },
  ],
  [
    "the installed packages of its own package",
    { locked: (name) => (name === "a" ? ["other"] : [name]) },
    { kind: "external", unit, name: "a" },
  ],
  [
    "an environment variable that a file names",
    { values: (names) => (names.length > 0 ? "other" : "") },
    { kind: "variables", unit },
  ],
  [
    "its command",
    { unit: () => ({ command: "other", version: "1.0.0", dependsOn: [] }) },
    { kind: "unit", unit },
  ],
  [
    "the existence of a unit",
    { unit: () => undefined },
    { kind: "unit", unit },
  ],
  ["Node", { surroundings: "node 22" }, { kind: "surroundings", unit }],
  [
    "an input of the unit that made its file",
    { entry: (path) => (path === "y" ? "file 2" : world.entry(path)) },
    { kind: "entry", unit: "b#build", name: "y" },
  ],
];
test.each(rows)("evidence doesn't hold if %s differs", (_, now, mismatch) => {
  expect(check(now)).toEqual(mismatch);
});

test("nothing is proven without evidence of the unit that made the files", () => {
  expect(check({}, [evidence])).toEqual({
    kind: "no-evidence",
    unit: "b#build",
  });
  expect(check({}, [])).toEqual({ kind: "no-evidence", unit });
});

test("evidence of a unit that reran in another state proves nothing about the files that were used", () => {
  const [again] = makeEvidence([{ ...build, read: ["y", "z"] }], world);
  expect(check({}, [evidence, again])).toEqual({
    kind: "no-evidence",
    unit: "b#build",
  });
});

test.each([
  ["a failed script", { passed: false }],
  ["an incomplete trace", { gaps: [{ kind: "left-behind" }] }],
  ["a file that is deleted during the run", { read: ["none"] }],
] as const)("%s isn't evidence", (_, more) => {
  expect(makeEvidence([build, { ...trace, ...more }], world)).toEqual([maker]);
  // Nor is the run of a unit that waits for it.
  expect(makeEvidence([{ ...build, ...more }, trace], world)).toEqual([]);
});

test("a variable whose value differs in each run prevents evidence", () => {
  const values = (names: readonly string[]) =>
    names.includes("V") ? undefined : "";
  const made = makeEvidence([build, trace], { ...world, values });
  expect(made.map((each) => each.unit)).toEqual(["b#build"]);
});

test("evidence is the same after packing and unpacking, and other versions and forms are ignored", () => {
  const all = makeEvidence(
    [{ ...build, read: ["__proto__", "y"] }, trace],
    world,
  );
  const packed = JSON.parse(JSON.stringify(packEvidence(all))) as object;
  expect(unpackEvidence(packed)).toEqual(all);
  expect(
    verify(
      "a#test",
      (id) => unpackEvidence(packed).find((e) => e.unit === id),
      world,
    ),
  ).toBeUndefined();
  expect(unpackEvidence({ ...packed, version: 1 })).toEqual([]);
  expect(() => unpackEvidence({ ...packed, table: [] })).toThrow(
    "evidence.seen isn't in the table",
  );
});

test("guesses yield, and so do packages that are affected only by guesses", () => {
  const guess: Reason = { kind: "unowned-file", path: "Makefile" };
  const firm: Reason = { kind: "file", path: "a/x", change: "modified" };
  const on = (name: string): Reason => ({
    kind: "dependency",
    on: name,
    edge: "dependencies",
    evidence: "x",
  });
  const packages = (
    Object.entries({
      firm: [firm],
      both: [guess, firm],
      guess: [guess],
      onGuess: [on("guess")],
      onBoth: [on("guess"), on("onFirm")],
      onFirm: [on("firm"), guess],
      circle: [on("onGuess"), on("circle")],
      openEnd: [{ ...on("firm"), isGuess: true }, guess],
      behindOpenEnd: [on("openEnd")],
      alsoSure: [{ ...on("firm"), isGuess: true }, on("firm")],
    }) as [string, Reason[]][]
  ).map(([name, reasons]): AffectedPackage => ({ name, dir: name, reasons }));
  expect([...yielding(packages, "guesses")]).toEqual([
    "guess",
    "onGuess",
    "circle",
    "openEnd",
    "behindOpenEnd",
  ]);
  expect(yielding(packages, "off").size).toBe(0);
  expect(yielding(packages, "full").size).toBe(10);
});
