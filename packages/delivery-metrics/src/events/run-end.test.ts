import { expect, test } from "@jest/globals";
import type { Job } from "./event.js";
import { ownJobs, runEnd } from "./run-end.js";

const job = (name: string, started: number, completed: number | null): Job => ({
  name,
  created: started,
  started,
  completed,
  conclusion: completed === null ? "unknown" : "success",
});

test("a run ends with its last job; without a job that has ended, it has no end", () => {
  expect(runEnd([job("a", 0, 50), job("b", 0, 70)], 1, 0)).toBe(70);
  expect(runEnd([job("a", 0, 50), job("b", 0, null)], 1, 0)).toBe(50);
  expect(runEnd([job("b", 0, null)], 1, 0)).toBeUndefined();
  expect(runEnd([], 1, 0)).toBeUndefined();
});

test("a later attempt doesn't own the jobs of earlier attempts", () => {
  const inherited = job("a", 0, 100);
  const again = job("b", 205, 260);
  expect(ownJobs([inherited, again], 2, 200)).toEqual([again]);
  expect(runEnd([inherited, again], 2, 200)).toBe(260);
  expect(runEnd([inherited], 2, 200)).toBeUndefined();
});

test("a first attempt owns all its jobs, even if their clocks are wrong", () => {
  const early = job("a", 90, 100);
  expect(ownJobs([early], 1, 200)).toEqual([early]);
});
