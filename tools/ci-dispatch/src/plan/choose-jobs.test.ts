import { expect, test } from "@jest/globals";
import { chooseJobs } from "./choose-jobs.js";
import { makePlan } from "./make-plan.js";
import { measured, planInput } from "./fixture.test.kit.js";

const jobsFor = (
  weights: readonly number[],
  more: Partial<Parameters<typeof chooseJobs>[1]> = {},
) =>
  chooseJobs(weights, {
    jobs: undefined,
    minJobs: 1,
    maxJobs: 20,
    targetMs: 100,
    ...more,
  }).loads.length;

test.each([
  ["jobs that are exactly full", [50, 50, 100], {}, 2],
  ["a little more than they hold", [50, 51, 100], {}, 3],
  [
    "a unit above the target, which the others are measured by",
    [150, 90, 60],
    {},
    2,
  ],
  ["machines that stand ready anyway", [10, 10, 10], { minJobs: 2 }, 2],
  ["no more than there are units", [10, 10], { minJobs: 5 }, 2],
  ["no more than allowed", [100, 100, 100], { maxJobs: 2 }, 2],
  ["as many as asked for", [1, 1, 1, 1], { jobs: 3 }, 3],
  [
    "as many as asked for, within what is allowed",
    [1, 1, 1],
    { jobs: 9, maxJobs: 2 },
    2,
  ],
])("%s", (_, weights, more, jobs) => {
  expect(jobsFor(weights, more)).toBe(jobs);
});

test("with one package for each job, a long unit stays whole", () => {
  const input = planInput(
    { long: ["a.test.js", "b.test.js"], short: [] },
    {
      history: new Map([
        ["long#test", measured(900_000, { "a.test.js": 1, "b.test.js": 1 })],
      ]),
    },
  );
  const { jobs, notes } = makePlan({
    ...input,
    options: { ...input.options, onePackagePerJob: true },
  });
  expect(jobs.flatMap(({ units }) => units.map(({ id }) => id))).toEqual([
    "long#test",
    "short#test",
  ]);
  expect(notes).toEqual([
    "1 of 2 units have no history; their durations are estimates from their test files",
  ]);
});

test("a package that two answers name runs once, for the reason of the first", () => {
  const input = planInput({ a: [] });
  const [answer] = input.affected;
  if (!answer) throw new Error("the input has no answer");
  const second = {
    ...answer,
    packages: answer.packages.map((each) => ({ ...each, why: "field" })),
  };
  const { jobs } = makePlan({ ...input, affected: [answer, second] });
  expect(
    jobs.flatMap(({ units }) => units.map(({ id, why }) => [id, why])),
  ).toEqual([["a#test", "file packages/a/index.js"]]);
});
