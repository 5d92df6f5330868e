import { expect, test } from "@jest/globals";
import { timeout } from "../fixture.test.kit.js";
import { timeoutOf, unknownLimitMs } from "./estimate.js";

const history = { kind: "history", runs: 9, p90Ms: 1, flakes: 0 } as const;
const files = { kind: "test-files", files: 1, perFileMs: 1 } as const;

test.each([
  ["three times the P90", 100_000, history, 300_000],
  ["at least the minimum", 1_000, history, 60_000],
  ["at most the maximum", 900_000, history, 1_800_000],
  ["ten minutes without a history", 1_000, files, 600_000],
  ["more if the estimate is long", 300_000, files, 900_000],
  ["at most the maximum, with an estimate", 900_000, files, 1_800_000],
])("the time limit of a unit: %s", (_, ms, estimate, expected) => {
  expect(timeoutOf(ms, estimate, timeout)).toBe(expected);
});

test("the maximum also applies to unplanned units", () => {
  expect(unknownLimitMs(0, timeout)).toBe(600_000);
  expect(unknownLimitMs(0, { ...timeout, maxSeconds: 30 })).toBe(30_000);
});
