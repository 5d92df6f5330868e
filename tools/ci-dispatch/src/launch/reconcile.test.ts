import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import { isSettled, LOOKS, MOST_LOSSES, reconcile } from "./reconcile.js";

const job = (more: Partial<LaunchedJob>): LaunchedJob => ({
  job: "a",
  id: "a of p",
  phase: "asked",
  run: null,
  conclusion: null,
  unseen: 0,
  losses: 0,
  ...more,
});
const state = (...jobs: LaunchedJob[]): LaunchState => ({
  version: 1,
  plan: "p",
  repository: "o/n",
  workflow: "w.yml",
  ref: "main",
  jobs,
});
const run = (more: Partial<SeenRun>): SeenRun => ({
  id: 1,
  title: "a of p",
  conclusion: undefined,
  ...more,
});

test.each<
  [string, Partial<LaunchedJob>, readonly SeenRun[], Partial<LaunchedJob>]
>([
  ["found by its name", {}, [run({})], { phase: "running", run: 1 }],
  [
    "found by its id, whatever it is called",
    { phase: "running", run: 1 },
    [run({ title: "renamed" })],
    { phase: "running", run: 1 },
  ],
  [
    "ended",
    { phase: "running", run: 1 },
    [run({ conclusion: "failure" })],
    { phase: "ended", run: 1, conclusion: "failure" },
  ],
  ["not seen yet", {}, [run({ title: "b of p" })], { unseen: 1 }],
  [
    "seen again",
    { phase: "running", run: 1, unseen: 3 },
    [run({})],
    { phase: "running", run: 1, unseen: 0 },
  ],
  [
    "lost: asked for anew, under another name",
    { unseen: LOOKS - 1 },
    [],
    { phase: "planned", id: "a of p (again, 1)", losses: 1 },
  ],
  [
    "a run that vanishes",
    { phase: "running", run: 1, unseen: LOOKS - 1 },
    [],
    { phase: "planned", id: "a of p (again, 1)", losses: 1, run: null },
  ],
  [
    "lost too often",
    { unseen: LOOKS - 1, losses: MOST_LOSSES - 1 },
    [],
    { phase: "ended", conclusion: "lost", losses: MOST_LOSSES },
  ],
  ["not asked for", { phase: "planned" }, [run({})], { phase: "planned" }],
  [
    "over",
    { phase: "ended", run: 1, conclusion: "success" },
    [],
    { phase: "ended", run: 1, conclusion: "success" },
  ],
])("%s", (_, before, seen, after) => {
  expect(reconcile(state(job(before)), seen).jobs).toEqual([job(after)]);
});

test("looking twice at the same says the same, and what has ended stays so", () => {
  const runArb = fc.record({
    id: fc.integer({ min: 1, max: 3 }),
    title: fc.constantFrom("a of p", "b of p", "other"),
    conclusion: fc.constantFrom(undefined, "success", "failure"),
  });
  fc.assert(
    fc.property(fc.array(fc.array(runArb)), (looks) => {
      let now = state(job({}), job({ job: "b", id: "b of p" }));
      for (const seen of looks) {
        const next = reconcile(now, seen);
        for (const [index, each] of now.jobs.entries())
          if (each.phase === "ended") expect(next.jobs[index]).toEqual(each);
        now = next;
      }
      if (isSettled(now)) expect(reconcile(now, [])).toEqual(now);
    }),
  );
});
