import { expect, test } from "@jest/globals";
import type { JobKind, PlannedJob } from "../../plan.js";
import { chooseInline } from "./choose-inline.js";

const job = (kind: JobKind, seconds: number): PlannedJob => ({
  id: kind,
  kind,
  expectedMs: seconds * 1000,
  units: [],
});

test.each([
  ["nothing to run", "always", [], false, undefined],
  ["a single job", "auto", [2000], true, undefined],
  [
    "small jobs",
    "auto",
    [30, 40],
    true,
    "one job runs everything: 2 jobs and one that judges them would end 10 s earlier and take 1 min 05 s more machine time",
  ],
  [
    "jobs that end before a separate job could judge them",
    "auto",
    [5, 40],
    true,
    "one job runs everything: 2 jobs and one that judges them would end 15 s later and take 1 min 05 s more machine time",
  ],
  ["jobs that save more than they cost", "auto", [100, 110], false, undefined],
  ["a job above the target", "auto", [60, 200], false, undefined],
  ["never", "never", [30, 40], false, undefined],
  ["always", "always", [300, 400], true, undefined],
] as const)("%s", (_, mode, seconds, inline, traded) => {
  const total = seconds.reduce<number>((sum, each) => sum + each, 0);
  expect(
    chooseInline(
      seconds.map((each) => job("packages", each)),
      job("inline", total),
      { mode, setupMs: 45_000, targetMs: 300_000 },
    ),
  ).toEqual(traded === undefined ? { inline } : { inline, traded });
});
