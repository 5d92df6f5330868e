import { expect, test } from "@jest/globals";
import type { Usage } from "@skein/github";
import { planFor, stateFor } from "./legs.test.kit.js";
import { pause } from "./pace.js";

const names = Array.from({ length: 300 }, (_, index) => `j${index}`);
const state = stateFor(
  planFor(Object.fromEntries(names.map((name) => [name, []]))),
);
const ended = {
  ...state,
  jobs: state.jobs.map((job) => ({ ...job, phase: "ended" as const })),
};
const HOUR = 3600;
const left = (remaining: number, seconds = HOUR): Usage => ({
  cost: 1,
  resource: "core",
  remaining,
  resetAt: seconds,
});

test.each<[string, Usage | undefined, typeof state, number]>([
  ["a server without limits", undefined, state, 15],
  ["plenty", left(5000), state, 15],
  // (1000 - 2 * 300) / 4 = 100 looks per hour.
  ["the 1,000 requests of a GITHUB_TOKEN, for 300 jobs", left(1000), state, 36],
  ["the same, a minute before the hour ends", left(1000, 60), state, 15],
  ["the same, after all jobs have ended", left(1000), ended, 15],
  ["few requests left: at most five minutes", left(3), state, 300],
  ["an hour that has ended", left(0, -5), state, 15],
])("%s", (_, usage, of, seconds) => {
  expect(pause(of, usage, { interval: 15_000, now: 0 })).toBe(seconds * 1000);
});
