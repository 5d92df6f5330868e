import { expect, test } from "@jest/globals";
import { chooseJobs } from "./choose-jobs.js";
import { makePlan } from "../make-plan.js";
import { measured, planInput } from "../fixture.test.kit.js";

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
  ["a little more than fits", [50, 51, 100], {}, 3],
  [
    "a unit above the target, whose duration becomes the target",
    [150, 90, 60],
    {},
    2,
  ],
  ["machines that are available anyway", [10, 10, 10], { minJobs: 2 }, 2],
  ["no more jobs than units", [10, 10], { minJobs: 5 }, 2],
  ["no more than the maximum", [100, 100, 100], { maxJobs: 2 }, 2],
  ["the requested number", [1, 1, 1, 1], { jobs: 3 }, 3],
  [
    "the requested number, up to the maximum",
    [1, 1, 1],
    { jobs: 9, maxJobs: 2 },
    2,
  ],
])("%s", (_, weights, more, jobs) => {
  expect(jobsFor(weights, more)).toBe(jobs);
});

test("with one package per job, a long unit isn't split", () => {
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

test("a package in two answers runs once, with the first answer's reason", () => {
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
