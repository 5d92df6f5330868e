import { expect, test } from "@jest/globals";
import type { Job } from "../events/event.js";
import { at, MINUTE, run } from "../story.test.kit.js";
import { lastRuns } from "./last-runs.js";

const job = (
  name: string,
  from: number | null,
  to: number | null,
  own: Partial<Job> = {},
): Job => ({
  name,
  created: from === null ? null : at(from),
  started: from === null ? null : at(from),
  completed: to === null ? null : at(to),
  conclusion: "success",
  ...own,
});
const options = { asOf: at(10_000), most: 3 };

test("the times of a run's jobs count from its request to the end of the last job", () => {
  const events = run(7, 10, 40, {
    jobs: [
      job("unit", 15, 40, { created: at(11), conclusion: "failure" }),
      job("lint", 12, 14),
      job("deploy", 20, 20, { conclusion: "skipped" }),
      job("never", null, null, { conclusion: "cancelled" }),
      // The clock of its machine is behind.
      job("early", 8, 11),
    ],
  });
  expect(lastRuns(events, options)).toEqual([
    {
      repository: "acme/web",
      run: 7,
      attempt: 1,
      workflow: "CI",
      event: "pull_request",
      conclusion: "success",
      began: new Date(at(10)).toISOString(),
      makespan: 30 * MINUTE,
      machine: 28 * MINUTE,
      jobs: [
        {
          name: "early",
          asked: 0,
          started: 0,
          ended: MINUTE,
          conclusion: "success",
        },
        {
          name: "lint",
          asked: 2 * MINUTE,
          started: 2 * MINUTE,
          ended: 4 * MINUTE,
          conclusion: "success",
        },
        {
          name: "unit",
          asked: MINUTE,
          started: 5 * MINUTE,
          ended: 30 * MINUTE,
          conclusion: "failure",
        },
      ],
    },
  ]);
});

test("a later attempt has its own jobs and its own start", () => {
  const [first, second] = [
    job("unit", 0, 10),
    job("e2e", 0, 20, { conclusion: "failure" }),
  ];
  const events = [
    ...run(7, 0, 20, { jobs: [first, second] }),
    ...run(7, 60, 75, {
      attempt: 2,
      created: at(0),
      jobs: [first, job("e2e", 61, 75)],
    }),
  ];
  const [again] = lastRuns(events, options);
  expect(again).toMatchObject({ attempt: 2, makespan: 15 * MINUTE });
  expect(again?.jobs.map(({ name, started }) => [name, started])).toEqual([
    ["e2e", MINUTE],
  ]);
});

test("the runs are those of the workflow with the most machine time, newest first, without scheduled runs", () => {
  const ends = [30, 10, 50, 20, 40];
  const events = [
    ...ends.flatMap((end, index) => run(index, end - 5, end)),
    ...run(100, 0, 5, { path: "title.yml", workflow: "Title" }),
    ...run(101, 0, 900, { path: "night.yml", event: "schedule" }),
    ...run(102, 60, null),
    ...run(103, 20_000, 20_009),
  ];
  const found = lastRuns(events, options);
  expect(found.map(({ run: number }) => number)).toEqual([2, 4, 0]);
  expect(lastRuns([...events, ...events].toReversed(), options)).toEqual(found);
  expect(lastRuns([], options)).toEqual([]);
});
