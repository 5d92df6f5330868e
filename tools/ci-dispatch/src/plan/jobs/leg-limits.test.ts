import { expect, test } from "@jest/globals";
import { legLimits } from "./leg-limits.js";

const minute = 60_000;
const limitOf = (
  timeouts: readonly number[],
  { retries = 1, setupMs = 45_000 } = {},
) =>
  legLimits({
    jobs: [{ id: "a", units: timeouts.map((timeoutMs) => ({ timeoutMs })) }],
    retries,
    prediction: { setupMs },
  } as never)["a"];

test.each([
  ["one unit, run twice, plus 20 minutes", [10 * minute], {}, 40],
  ["minutes are rounded up", [10 * minute + 1], {}, 41],
  ["all units of the job", [minute, 2 * minute, 3 * minute], {}, 32],
  ["without retries", [10 * minute], { retries: 0 }, 30],
  ["a long set-up, three times", [minute], { setupMs: 10 * minute }, 32],
  ["at most GitHub's limit", [300 * minute], {}, 360],
])("the limit of a job: %s", (_, timeouts, more, minutes) => {
  expect(limitOf(timeouts, more)).toBe(minutes);
});

test("each job has its own limit", () => {
  const jobs = [
    { id: "a", units: [] },
    { id: "b", units: [{ timeoutMs: minute }] },
  ];
  expect(
    legLimits({ jobs, retries: 0, prediction: { setupMs: 0 } } as never),
  ).toEqual({ a: 20, b: 21 });
});

test("a shard has the time of the whole unit, because its machine may run all files", () => {
  const units = [{ timeoutMs: 2 * minute, shard: { count: 3 } }];
  expect(
    legLimits({
      jobs: [{ id: "a", units }],
      retries: 0,
      prediction: { setupMs: 0 },
    } as never),
  ).toEqual({ a: 26 });
});
