import { expect, test } from "@jest/globals";
import { sinceBegan, timeLine } from "./time-line.js";
import type { Verdict } from "../verdict.js";

const unit = (job: string, durationMs: number | null) =>
  ({ job, durationMs }) as Verdict["units"][number];
const none = { plannedMs: undefined, judgedMs: undefined };

test.each<
  [
    string,
    Pick<Verdict, "setups" | "units">,
    Parameters<typeof timeLine>[1],
    string,
  ]
>([
  ["nothing was measured", { units: [unit("a", 1)] }, none, ""],
  [
    "a plan without a job",
    { units: [] },
    { plannedMs: 4_000, judgedMs: undefined },
    "\nWhere the time went: plan 4.0 s.\n",
  ],
  [
    "one leg",
    { setups: { all: 30_000 }, units: [unit("all", 5_000), unit("all", null)] },
    { plannedMs: 6_000, judgedMs: 2_000 },
    "\nWhere the time went: plan 6.0 s; longest leg `all`: set-up 30 s, tests 5.0 s; judge 2.0 s.\n",
  ],
  [
    "several legs: the one that took longest, and all together",
    {
      setups: { "packages-1": 30_000, "packages-2": 40_000 },
      units: [unit("packages-1", 70_000), unit("packages-2", 50_000)],
    },
    none,
    "\nWhere the time went: longest leg `packages-1`: set-up 30 s, tests 1 min 10 s; 2 legs together: set-up 1 min 10 s, tests 2 min 00 s.\n",
  ],
])("%s", (_case, verdict, times, line) => {
  expect(timeLine(verdict, times)).toBe(line);
});

test("a clock that was set back results in no measurement", () => {
  expect(sinceBegan(1_000, 400)).toBe(600);
  expect(sinceBegan(1_000, 1_400)).toBe(undefined);
  expect(sinceBegan(1_000, undefined)).toBe(undefined);
});
