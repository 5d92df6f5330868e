import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { judge } from "./judge.js";
import { attest, failed, passed, planOf, unit } from "./judge.test.kit.js";
import type { Found } from "./read-attestations.js";

const plan = planOf({
  one: [unit("a#test"), unit("b#test")],
  two: [unit("c#test")],
});

const one = attest("one", [passed("a#test"), passed("b#test")]);
const two = attest("two", [passed("c#test")]);

/** Returns the states of a, b and c, the exit code, and the reasons for refused files. */
const reported = (found: readonly Found[]) => {
  const { units, exitCode, refused } = judge(plan, found);
  const states = units.map(({ state }) => state).join(" ");
  return [`${states}: ${exitCode}`, ...refused.map(({ why }) => why)].join(
    ", ",
  );
};

test.each<[string, readonly Found[], string]>([
  ["all attested", [one, two], "passed passed passed: 0"],
  ["all jobs lost", [], "missing missing missing: 3"],
  ["a job that never started", [one], "passed passed missing: 3"],
  [
    "a job killed between two units",
    [attest("one", [passed("a#test")], { finished: false }), two],
    "passed missing passed: 3",
  ],
  [
    "a job killed after a failure",
    [attest("one", [failed("a#test")], { finished: false }), two],
    "failed missing passed: 1",
  ],
  [
    "a failed test",
    [attest("one", [failed("a#test"), passed("b#test")]), two],
    "failed passed passed: 1",
  ],
  [
    "a unit that could not be run",
    [one, attest("two", [failed("c#test", "configuration")])],
    "passed passed failed: 1",
  ],
  [
    "a machine that failed",
    [one, attest("two", [failed("c#test", "infrastructure")])],
    "passed passed failed: 3",
  ],
  ["a copy of an attestation", [one, two, two], "passed passed passed: 0"],
  [
    "two results of one attempt: the worse result counts",
    [one, two, attest("two", [failed("c#test")])],
    "passed passed failed: 1, contradiction",
  ],
  [
    "two results of one attempt, one without the unit",
    [one, two, attest("two", [])],
    "passed passed missing: 3, contradiction",
  ],
  [
    "another machine of the same attempt, in any order of the files",
    [
      attest("two", [passed("c#test")], { machine: 2 }),
      attest("two", [failed("c#test", "infrastructure")]),
      one,
    ],
    "passed passed recovered: 0",
  ],
  [
    "a later attempt takes precedence over a later machine",
    [
      one,
      attest("two", [failed("c#test")], { attempt: 2 }),
      attest("two", [passed("c#test")], { machine: 2 }),
    ],
    "passed passed failed: 1",
  ],
  [
    "an attestation of another plan doesn't count",
    [one, attest("two", [passed("c#test")], { plan: "other" })],
    "passed passed missing: 3, other-plan",
  ],
  [
    "an attestation of another plan is refused, and the right one counts",
    [one, two, attest("two", [failed("c#test")], { plan: "other" })],
    "passed passed passed: 0, other-plan",
  ],
  [
    "a job that the plan does not have",
    [one, two, attest("three", [passed("c#test")])],
    "passed passed passed: 0, unknown-job",
  ],
  [
    "a lost machine stays visible if another one passed",
    [
      one,
      attest("two", [], { finished: false }),
      attest("two", [passed("c#test")], { machine: 2 }),
    ],
    "passed passed recovered: 0",
  ],
  [
    "a lost machine without any attestation",
    [one, attest("two", [passed("c#test")], { machine: 3 })],
    "passed passed recovered: 0",
  ],
  [
    "a re-run of only the second machine",
    [
      one,
      attest("two", [failed("c#test")]),
      attest("two", [failed("c#test", "infrastructure")], { machine: 2 }),
      attest("two", [passed("c#test")], { attempt: 2, machine: 2 }),
    ],
    "passed passed flaky: 0",
  ],
  [
    "a job attests for another one, in its own artifact",
    [
      one,
      {
        ...attest("two", [passed("c#test")]),
        file: "ci-dispatch-attestation-one.1.1/two.1.json",
      },
    ],
    "passed passed missing: 3, other-artifact",
  ],
  [
    "a job attests a different attempt than its artifact's",
    [
      one,
      {
        ...attest("two", [failed("c#test")]),
        file: "ci-dispatch-attestation-two.1.1/two.1.json",
      },
      {
        ...attest("two", [passed("c#test")], { attempt: 2 }),
        file: "ci-dispatch-attestation-two.1.1/two.2.json",
      },
    ],
    "passed passed failed: 1, other-artifact",
  ],
  [
    "a job attests a different machine than its artifact's",
    [
      one,
      {
        ...attest("two", [passed("c#test")], { machine: 2 }),
        file: "ci-dispatch-attestation-two.1.1/two.1.2.json",
      },
    ],
    "passed passed missing: 3, other-artifact",
  ],
  [
    "each in its own artifact",
    [
      { ...one, file: "ci-dispatch-attestation-one.1.1/one.1.json" },
      { ...two, file: "ci-dispatch-attestation-two.1.1/two.1.json" },
    ],
    "passed passed passed: 0",
  ],
  [
    "a unit of another job",
    [one, attest("two", [passed("c#test"), passed("a#test")])],
    "passed passed missing: 3, unknown-unit",
  ],
  [
    "a unit attested twice",
    [one, attest("two", [failed("c#test"), passed("c#test")])],
    "passed passed missing: 3, malformed",
  ],
  [
    "a re-run after a failed test is a flake, not a pass",
    [
      one,
      attest("two", [failed("c#test")]),
      attest("two", [passed("c#test")], { attempt: 2 }),
    ],
    "passed passed flaky: 0",
  ],
  [
    "a re-run after a lost machine",
    [
      one,
      attest("two", [failed("c#test", "infrastructure")]),
      attest("two", [passed("c#test")], { attempt: 2 }),
    ],
    "passed passed recovered: 0",
  ],
  [
    "the newest attempt counts, in any order of the files",
    [
      one,
      attest("two", [failed("c#test")], { attempt: 10 }),
      attest("two", [passed("c#test")], { attempt: 9 }),
    ],
    "passed passed failed: 1",
  ],
  [
    "a newest attempt that was lost is not covered by an older one",
    [one, two, attest("two", [], { attempt: 2, finished: false })],
    "passed passed missing: 3",
  ],
])("%s", (_, found, expected) => {
  expect(reported(found)).toBe(expected);
});

test("the description of a loss is part of the evidence, with and without a later machine that passes", () => {
  const lost = "run 7 ended as failure and published no attestation";
  const seen = attest("two", [], { machine: 2, finished: false, lost });
  const evidence = (...found: Found[]) =>
    judge(plan, [one, ...found]).units[2]?.failure;
  expect(
    evidence(seen, attest("two", [passed("c#test")], { machine: 3 })),
  ).toEqual({
    class: "infrastructure",
    evidence: [
      "attempt 1: it has published no attestation",
      `attempt 1 on machine 2: ${lost}`,
    ],
  });
  expect(evidence(seen)).toEqual({
    class: "infrastructure",
    evidence: [`two was lost in attempt 1 on machine 2: ${lost}`],
  });
});

describe("shards", () => {
  const shard = (index: number) => ({
    index,
    count: 2,
    files: [`${index}.js`],
  });
  const sharded = planOf({
    one: [unit("a#test[1/2]", shard(1)), unit("a#test[2/2]", shard(2))],
  });
  test("one shard may be empty, but not all of them", () => {
    const both = (files: Readonly<Record<string, number>>) =>
      judge(sharded, [
        attest("one", [
          passed("a#test[1/2]", { files }),
          passed("a#test[2/2]"),
        ]),
      ]);
    expect(both({ "1.js": 3 }).exitCode).toBe(0);
    expect(both({})).toMatchObject({
      exitCode: 1,
      units: [{ state: "failed" }, { state: "failed" }],
    });
  });
});

test("an empty plan is green", () => {
  expect(judge(planOf({}), [])).toMatchObject({ colour: "green", exitCode: 0 });
});

test("a verdict is green only if every unit passed in the newest attempt, whatever other files exist", () => {
  const state = fc.constantFrom("passed", "failed", "absent");
  const foundArb = fc.record({
    job: fc.constantFrom("one", "two", "three"),
    plan: fc.constantFrom("this", "this", "other"),
    attempt: fc.integer({ min: 1, max: 3 }),
    states: fc.tuple(state, state),
  });
  fc.assert(
    fc.property(fc.array(foundArb, { maxLength: 8 }), (records) => {
      const found = records.map(({ job, states, ...more }) =>
        attest(
          job,
          (job === "one" ? ["a#test", "b#test"] : ["c#test"]).flatMap(
            (id, index) =>
              states[index] === "absent"
                ? []
                : [states[index] === "passed" ? passed(id) : failed(id)],
          ),
          more,
        ),
      );
      const vouched = (job: string, id: string) => {
        const own = found
          .map(({ attestation }) => attestation)
          .filter((each) => each.plan === "this" && each.job === job);
        const newest = Math.max(...own.map(({ attempt }) => attempt));
        const last = own.filter(({ attempt }) => attempt === newest);
        return (
          last.length > 0 &&
          last.every(({ units }) =>
            units.some((each) => each.id === id && each.verdict === "passed"),
          )
        );
      };
      const green =
        vouched("one", "a#test") &&
        vouched("one", "b#test") &&
        vouched("two", "c#test");
      expect(judge(plan, found).colour).toBe(green ? "green" : "red");
    }),
  );
});
