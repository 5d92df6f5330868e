import { expect, test } from "@jest/globals";
import { jobTimes, stepTimes } from "./job-times.js";
import { fewestMinutes, modelOf, waysOf } from "./model.js";

const steps = {
  ...{ start: 10, checkout: 2, install: 60, tool: 3 },
  ...{ plan: 2, judge: 1 },
};

test("a way's seconds to the first test and to the verdict, and its billed minutes", () => {
  expect(
    waysOf(steps, [30, 30], [60]).map((way) => modelOf(way, steps)),
  ).toMatchObject([
    // plan: 10 + 7; leg: 10 + 62 + 60; verdict: 10 + 4.
    {
      toFirstTest: 89,
      toVerdict: 163,
      after: 14,
      billedMinutes: 5,
      installsOnPath: 1,
    },
    {
      toFirstTest: 146,
      toVerdict: 289,
      after: 83,
      billedMinutes: 7,
      installsOnPath: 3,
    },
    {
      toFirstTest: 72,
      toVerdict: 132,
      after: 0,
      billedMinutes: 3,
      installsOnPath: 1,
    },
    {
      toFirstTest: 84,
      toVerdict: 114,
      after: 0,
      billedMinutes: 5,
      installsOnPath: 1,
    },
  ]);
});

test("a separate job judges several legs, before the required check", () => {
  const [ours] = waysOf(steps, [30, 30], [30, 30]).map((way) =>
    modelOf(way, steps),
  );
  expect(ours).toMatchObject({ toFirstTest: 89, after: 24 });
});

test.each([
  // 5 legs of 261 s are billed as 5 minutes each; 6 legs of 221 s as 4.
  [20, 1200, 300, { legs: 6, minutes: 26 }],
  [120, 1200, 300, { legs: 7, minutes: 37 }],
  [20, 10, 300, { legs: 1, minutes: 3 }],
])(
  "the fewest billed minutes with an install of %i s, %i s of tests, and legs of %i s",
  (install, total, target, expected) => {
    expect(fewestMinutes({ checkout: 1, install }, total, target)).toEqual(
      expected,
    );
  },
);

test("the times of jobs and steps are read from act's output", () => {
  const printed = [
    { at: 1, text: "[plan] ⭐ Run Set up job\n[plan]   ✅  Success - Ma" },
    { at: 5, text: "in Tool [1m2.5s]\n[plan] 🏁  Job succeeded\n" },
    { at: 6, text: "[legs ] ⭐ Run Set up job\n[legs ] ⭐ Run Set up job\n" },
    {
      at: 9,
      text: "[legs ]   ❌  Failure - Main Run [12ms]\n[legs ] 🏁  Job failed\n",
    },
    { at: 10, text: "[legs ] 🏁  Job succeeded\n" },
  ];
  expect(jobTimes(printed)).toEqual([
    { id: "plan", from: 1, to: 5 },
    { id: "legs", from: 6, to: 9 },
    { id: "legs", from: 6, to: 10 },
  ]);
  expect(stepTimes(printed)).toEqual([
    { job: "plan", step: "Tool", ms: 62_500 },
    { job: "legs", step: "Run", ms: 12 },
  ]);
});
