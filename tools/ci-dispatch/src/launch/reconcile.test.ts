import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import { isSettled, reconcile, strays } from "./reconcile.js";

const job = (more: Partial<LaunchedJob>): LaunchedJob => ({
  job: "a",
  id: "a of p",
  phase: "asked",
  run: null,
  conclusion: null,
  machine: 1,
  attempt: 1,
  unseen: 0,
  lost: [],
  retried: 0,
  abandoned: [],
  ...more,
});
const state = (...jobs: LaunchedJob[]): LaunchState => ({
  version: 1,
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
  attempt: 1,
  conclusion: undefined,
  ...more,
});

test.each<
  [string, Partial<LaunchedJob>, readonly SeenRun[], Partial<LaunchedJob>]
>([
  ["found by its name", {}, [run({})], { phase: "running", run: 1 }],
  [
    "found by its id, with any name",
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
    "never seen: requested again, under another name",
    { unseen: LOOKS - 1 },
    [],
    { phase: "planned", id: "a of p, try 2", abandoned: ["a of p"] },
  ],
  [
    "a run that vanishes",
    { phase: "running", run: 1, unseen: LOOKS - 1 },
    [],
    {
      phase: "planned",
      id: "a of p on machine 2, try 2",
      machine: 2,
      lost: [{ machine: 1, attempt: 1, run: 1, conclusion: null }],
      run: null,
      abandoned: ["a of p"],
    },
  ],
  [
    "abandoned too often",
    { unseen: LOOKS - 1, abandoned: ["x", "y"] },
    [],
    {
      phase: "ended",
      conclusion: "lost",
      lost: [{ machine: 1, attempt: 1, run: null, conclusion: null }],
      abandoned: ["x", "y", "a of p"],
    },
  ],
  [
    "a retry was requested, and the list shows the attempt before",
    { run: 1, machine: 2, attempt: 2 },
    [run({ conclusion: "failure" })],
    { run: 1, machine: 2, attempt: 2, unseen: 1 },
  ],
  [
    "running again",
    { run: 1, machine: 2, attempt: 2 },
    [run({ attempt: 2 })],
    { run: 1, machine: 2, attempt: 2, phase: "running" },
  ],
  [
    "never retried: a new run is requested",
    { run: 1, machine: 2, attempt: 2, unseen: LOOKS - 1 },
    [run({ conclusion: "failure" })],
    {
      phase: "planned",
      id: "a of p on machine 2, try 2",
      machine: 2,
      abandoned: ["a of p"],
    },
  ],
  [
    "re-run by hand while it was watched",
    { run: 1, phase: "running" },
    [run({ attempt: 3, conclusion: "success" })],
    { run: 1, machine: 3, attempt: 3, phase: "over", conclusion: "success" },
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

test("looking twice at the same runs doesn't change the state, and ended jobs stay ended", () => {
  const runArb = fc.record({
    id: fc.integer({ min: 1, max: 3 }),
    title: fc.constantFrom("a of p", "b of p", "other"),
    attempt: fc.integer({ min: 1, max: 2 }),
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

test("a run with an abandoned name is a stray until it has ended", () => {
  const given = state(
    job({ id: "a of p on machine 2", abandoned: ["a of p"] }),
  );
  const seen = [run({}), run({ id: 2, title: "a of p on machine 2" })];
  expect(strays(given, seen)).toEqual([run({})]);
  expect(strays(given, [run({ conclusion: "success" })])).toEqual([]);
});
