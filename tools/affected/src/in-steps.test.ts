import { expect, test } from "@jest/globals";
import { inSteps } from "./in-steps.js";

/** Returns a computation of three steps, and the number of those that it made. */
function threeSteps() {
  const made = { steps: 0 };
  function* steps(): Generator<void, string, void> {
    for (; made.steps < 3; made.steps++) yield;
    return "done";
  }
  return { made, steps: steps() };
}

/** Returns a clock on which each look takes this time. */
function clock(ms: number): () => number {
  let time = 0;
  return () => (time += ms);
}

test("a computation in steps has its result", async () => {
  const { signal } = new AbortController();
  for (const now of [clock(0), clock(100)])
    expect(await inSteps(threeSteps().steps, { now, signal })).toBe("done");
});

test("a signal that arrives meanwhile ends a long computation at its next step", async () => {
  const stop = new AbortController();
  const reason = new Error("interrupted");
  setImmediate(() => {
    stop.abort(reason);
  });
  const { made, steps } = threeSteps();
  const result = inSteps(steps, { now: clock(100), signal: stop.signal });
  await expect(result).rejects.toBe(reason);
  expect(made.steps).toBe(0);
});
