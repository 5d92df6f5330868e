import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import { isSettled, MOST_LOSSES, reconcile, strays } from "./reconcile.js";

const job = (more: Partial<LaunchedJob>): LaunchedJob => ({
  job: "a",
  id: "a of p",
  phase: "asked",
  run: null,
  conclusion: null,
  machine: 1,
  unseen: 0,
  losses: 0,
  retried: 0,
  abandoned: [],
  ...more,
});
const state = (...jobs: LaunchedJob[]): LaunchState => ({
  version: 1,
  owner: "me",
  plan: "p",
  repository: "o/n",
  workflow: "w.yml",
  ref: "main",
  inputs: {},
  retries: 1,
  since: "2026-01-01T00:00:00Z",
  jobs,
});
const LOOKS = 6;
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
    { phase: "over", run: 1, conclusion: "failure" },
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
    {
      phase: "planned",
      id: "a of p on machine 2",
      machine: 2,
      losses: 1,
      abandoned: ["a of p"],
    },
  ],
  [
    "a run that vanishes",
    { phase: "running", run: 1, unseen: LOOKS - 1 },
    [],
    {
      phase: "planned",
      id: "a of p on machine 2",
      machine: 2,
      losses: 1,
      run: null,
      abandoned: ["a of p"],
    },
  ],
  [
    "lost too often",
    { unseen: LOOKS - 1, losses: MOST_LOSSES - 1 },
    [],
    {
      phase: "ended",
      conclusion: "lost",
      losses: MOST_LOSSES,
      abandoned: ["a of p"],
    },
  ],
  ["not asked for", { phase: "planned" }, [run({})], { phase: "planned" }],
  [
    "over",
    { phase: "ended", run: 1, conclusion: "success" },
    [],
    { phase: "ended", run: 1, conclusion: "success" },
  ],
])("%s", (_, before, seen, after) => {
  expect(reconcile(state(job(before)), seen, LOOKS).jobs).toEqual([job(after)]);
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
        const next = reconcile(now, seen, LOOKS);
        for (const [index, each] of now.jobs.entries())
          if (each.phase === "ended") expect(next.jobs[index]).toEqual(each);
        now = next;
      }
      if (isSettled(now)) expect(reconcile(now, [], LOOKS)).toEqual(now);
    }),
  );
});

test("a run that goes under a name that was given up is a stray, until it is over", () => {
  const given = state(
    job({ id: "a of p on machine 2", abandoned: ["a of p"] }),
  );
  const seen = [run({}), run({ id: 2, title: "a of p on machine 2" })];
  expect(strays(given, seen)).toEqual([run({})]);
  expect(strays(given, [run({ conclusion: "success" })])).toEqual([]);
});
