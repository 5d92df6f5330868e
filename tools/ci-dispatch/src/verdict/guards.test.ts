import { expect, test } from "@jest/globals";
import { judge } from "./judge.js";
import { attest, failed, passed, planOf, unit } from "./judge.test.kit.js";
import { parseAttestation } from "./read-attestations.js";
import { retriable, unrunJobs } from "./retriable.js";
import { nameOf, jobRunsOf } from "./job-runs.js";

const plan = planOf({ one: [unit("a#test")] });

test("a machine before another one is lost, even if a later attempt uses its number", () => {
  const found = [
    attest("one", [passed("a#test")], { attempt: 1, machine: 2 }),
    attest("one", [passed("a#test")], { attempt: 2, machine: 1 }),
  ];
  expect(
    jobRunsOf(found).map((run) => [nameOf(run), run.files.length]),
  ).toEqual([
    ["attempt 1", 0],
    ["attempt 1 on machine 2", 1],
    ["attempt 2", 1],
  ]);
});

test("in the first attempt, no job counts as not run yet", () => {
  expect([...unrunJobs(plan, [], 1)]).toEqual([]);
  expect([...unrunJobs(plan, [], 2)]).toEqual(["one"]);
});

test.each([
  [0, []],
  [1, ["one"]],
])("a failed test that flaked in %d known runs", (flakes, jobs) => {
  const estimate = { kind: "history", runs: 9, p90Ms: 1, flakes } as const;
  const known = planOf({ one: [{ ...unit("a#test"), estimate }] });
  const verdict = judge(known, [attest("one", [failed("a#test")])]);
  expect(retriable(known, verdict).map(({ job }) => job)).toEqual(jobs);
});

test.each(["../1.log", "/etc/passwd", "a.logs/../../1.log", "a.logs/x.log"])(
  "the log %s isn't a file of an attestation",
  (log) => {
    const [reported] = [failed("a#test")];
    const { attestation } = attest("one", [
      {
        ...reported,
        attempts: reported.attempts.map((each) => ({ ...each, log })),
      },
    ]);
    expect(() => parseAttestation(JSON.stringify(attestation))).toThrow(
      "attempt.log isn't a file of the attestation",
    );
  },
);
