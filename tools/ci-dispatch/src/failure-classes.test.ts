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
