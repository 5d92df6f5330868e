import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { FAILURE_CLASSES, type FailureClass } from "./attestation.js";
import { classAfterPass, exitCodeOf, FAILURES } from "./failure-classes.js";

const failing = (kind: FailureClass) => ({ class: kind, evidence: [] });

test.each<[string, readonly (FailureClass | null)[], number]>([
  ["nothing red", [], 0],
  ["a test", ["test"], 1],
  ["only machines", ["infrastructure", "infrastructure"], 3],
  ["a machine and a test", ["infrastructure", "test"], 1],
  ["a machine and settings", ["configuration", "infrastructure"], 1],
  ["a failure without a class", ["infrastructure", null], 1],
])("the exit code of %s", (_, kinds, exitCode) => {
  expect(exitCodeOf(kinds.map((kind) => kind && failing(kind)))).toBe(exitCode);
});

test.each<[readonly FailureClass[], string]>([
  [["infrastructure"], "infrastructure"],
  [["infrastructure", "infrastructure"], "infrastructure"],
  [["infrastructure", "test"], "flaky"],
  [["test"], "flaky"],
])("a pass after %j is %s", (kinds, name) => {
  expect(classAfterPass(kinds.map(failing))).toBe(name);
});

test("failures of the change or the settings don't go to another machine silently, and don't end with a machine's exit code", () => {
  for (const kind of FAILURE_CLASSES) {
    const { blame, elsewhere, exitCode, passedLater } = FAILURES[kind];
    const isMachine = blame === "machine";
    expect([kind, elsewhere === "yes", exitCode === 3, passedLater]).toEqual([
      kind,
      isMachine,
      isMachine,
      isMachine ? "recovered" : "flaky",
    ]);
  }
});

test("the documents have a row for each class, with its consequences", () => {
  const page = readFileSync(
    new URL("../../../docs/ci-dispatch.md", import.meta.url),
    "utf8",
  );
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line.split("|").map((cell) => cell.trim().replaceAll("`", "")),
    );
  for (const kind of FAILURE_CLASSES) {
    const own = rows.filter(([, name]) => name === kind);
    expect([kind, own.length > 0]).toEqual([kind, true]);
    // A unit is `flaky` only after it has passed.
    if (kind === "flaky") continue;
    const { runsAgain, elsewhere, exitCode, passedLater } = FAILURES[kind];
    const [, , here, other = ""] =
      own.find(([, , , , code]) => code === `${exitCode}`) ?? [];
    expect([kind, here?.startsWith(runsAgain ? "yes" : "no")]).toEqual([
      kind,
      true,
    ]);
    expect([kind, other.replace(/^if .*/, "known-flakes")]).toEqual([
      kind,
      elsewhere,
    ]);
    expect(own.map((row) => row[5])).toContain(passedLater);
  }
});
