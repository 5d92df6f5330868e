import { expect, test } from "@jest/globals";
import type { Job } from "../events/event.js";
import { at, event, run, sha } from "../story.test.kit.js";
import { makeReport } from "./make-report.js";

const DAY = 24 * 60;

test("a failure that passes in a later attempt is flaky; an infrastructure failure isn't", () => {
  const job = (name: string, from: number, conclusion: Job["conclusion"]) => ({
    name,
    created: at(from),
    started: at(from),
    completed: at(from + 5),
    conclusion,
  });
  const events = [
    ...run(1, 0, 5, {
      conclusion: "failure",
      jobs: [job("unit", 0, "failure"), job("e2e", 0, "timed_out")],
    }),
    // Only one job was run again. The other's failure is inherited and counts once.
    ...run(1, 10, 15, {
      attempt: 2,
      jobs: [job("unit", 10, "success"), job("e2e", 0, "timed_out")],
      conclusion: "failure",
    }),
    ...run(1, 20, 25, { attempt: 3, jobs: [job("e2e", 20, "success")] }),
    ...run(2, 0, 5, { conclusion: "startup_failure", jobs: [] }),
    ...run(3, 0, 5, {
      jobs: [job("unit", 0, "success"), job("docs", 0, "skipped")],
    }),
    ...run(4, 0, 5, {
      conclusion: "cancelled",
      jobs: [job("unit", 0, "success")],
    }),
    ...run(5, 0, 5, {
      conclusion: "failure",
      jobs: [job("unit", 0, "failure")],
    }),
    ...run(5, 8, 9, { attempt: 2, conclusion: "failure" }),
    // The run and its job passed first. A failure afterwards isn't a flake.
    ...run(6, 0, 5, { jobs: [job("unit", 0, "success")] }),
    ...run(6, 8, 9, {
      attempt: 2,
      conclusion: "failure",
      jobs: [job("unit", 8, "failure")],
    }),
    event("run-judged", 30, {
      plan: "p",
      sha: sha("x"),
      pull: null,
      units: 20,
      flaky: ["ui#test"],
      infrastructure: ["core#test", "ui#lint"],
      failed: [],
      setupMs: null,
    }),
  ];
  const { flakes, infrastructure } = makeReport(events, {
    asOf: at(DAY),
    days: 42,
  });
  expect(flakes).toEqual({
    runs: { count: 1, of: 5, rate: 0.2 },
    units: { count: 1, of: 20, rate: 0.05 },
    worst: [
      { kind: "unit", name: "ui#test", flakes: 1, of: 1, rate: 1 },
      { kind: "job", name: "CI / unit", flakes: 1, of: 4, rate: 0.25 },
    ],
  });
  expect(infrastructure).toEqual({
    attempts: { count: 2, of: 9, rate: 2 / 9 },
    units: { count: 2, of: 20, rate: 0.1 },
  });
});

test("savings are all units minus the selected ones", () => {
  const plan = (name: string, when: number, jobs: number) =>
    event("jobs-selected", when, {
      plan: name,
      sha: sha(name),
      pull: 1,
      selected: { jobs, units: 4, machineMs: 60_000 },
      everything: { jobs: 10, units: 40, machineMs: 600_000 },
      predictedMs: 1,
    });
  const { savings } = makeReport(
    [plan("a", 0, 2), plan("b", 1, 3), plan("early", -60 * DAY, 1)],
    { asOf: at(DAY), days: 42 },
  );
  expect(savings).toEqual({
    plans: 2,
    jobs: { everything: 20, selected: 5, saved: 15 },
    units: { everything: 80, selected: 8, saved: 72 },
    machineMs: { everything: 1_200_000, selected: 120_000, saved: 1_080_000 },
  });
});

test("reuse counts units, their time, units of later pushes, false hits, and wrong evidence", () => {
  const reused = (run: number, more: object, when = 10) =>
    event("units-reused", when, {
      ...{ run, sha: sha("x"), pull: null, first: false },
      ...{ units: 10, reused: 0, reusedMs: 0, checked: 0, falseHits: [] },
      ...{ falseHitFields: [], evidenceChecked: 0, wrongEvidence: [] },
      ...more,
    });
  const hit = { unit: "a#t", fields: [{ name: "files", hash: "0a1b2c3d" }] };
  const { reuse } = makeReport(
    [
      reused(1, { reused: 4, reusedMs: 4000, checked: 3, falseHits: ["b#t"] }),
      reused(2, { checked: 1, falseHits: ["a#t"], falseHitFields: [hit] }),
      // The same fingerprint counts once.
      reused(6, { falseHitFields: [hit, { ...hit, unit: "a#s" }] }),
      reused(7, { evidenceChecked: 5, wrongEvidence: ["c#t"] }),
      reused(8, { evidenceChecked: 3 }),
      reused(3, { pull: 7, first: true }),
      reused(4, { pull: 7, reused: 9, reusedMs: 9000 }),
      // Another pull request's claim about the same run counts separately.
      reused(4, { pull: 8, reused: 10, reusedMs: 1000 }),
      reused(5, { reused: 5 }, -100 * DAY),
    ],
    { asOf: at(DAY), days: 42 },
  );
  expect(reuse).toEqual({
    ...{ runs: 8, units: 23, machineMs: 14_000 },
    laterPushes: { count: 19, of: 20, rate: 0.95 },
    falseHits: { count: 2, of: 4, rate: 0.5 },
    falseHitUnits: ["a#t", "b#t"],
    falseHitFields: [{ ...hit, unit: "a#s" }, hit],
    wrongEvidence: { count: 1, of: 8, rate: 0.125 },
    wrongEvidenceUnits: ["c#t"],
  });
});
