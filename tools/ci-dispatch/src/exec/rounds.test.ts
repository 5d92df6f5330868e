import { expect, test } from "@jest/globals";
import type { FailureClass, Outcome } from "../attestation.js";
import { unit } from "../verdict/judge.test.kit.js";
import { limitOf, runsAgain } from "./rounds.js";

const run = (kind: FailureClass | null, outcome: Outcome = "failed") => ({
  command: "jest",
  attempt: {
    outcome,
    durationMs: 1,
    exitCode: 1,
    signal: null,
    failedTests: [],
  },
  failing: kind && { class: kind, evidence: [] },
  failedFiles: [],
  files: {},
});

test.each([
  ["a failed test", run("test"), true],
  ["a machine's failure", run("infrastructure"), true],
  ["a unit that could not run", run("configuration"), false],
  ["a unit that timed out", run("infrastructure", "timed-out"), false],
  ["a failed test that then hung", run("test", "timed-out"), false],
  ["a pass", run(null, "passed"), false],
  ["a unit that never ran", undefined, false],
])("retried on this machine: %s, %j", (_, last, again) => {
  expect(runsAgain(last)).toBe(again);
});

test("a shard that runs all files has the time of all shards; an unplanned unit has its own limit", () => {
  const shard = {
    ...unit("a#test[1/3]", { index: 1, count: 3, files: [] }),
    timeoutMs: 7,
  };
  const isWhole = ({ id }: { readonly id: string }) => id === shard.id;
  expect(limitOf(shard, isWhole, 5)).toBe(21);
  expect(limitOf(shard, () => false, 5)).toBe(7);
  expect(limitOf({ ...unit("b#test"), timeoutMs: 7 }, () => true, 5)).toBe(7);
  expect(limitOf(undefined, isWhole, 5)).toBe(5);
});
