import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { judge } from "./judge.js";
import { attest, failed, passed, planOf, unit } from "./judge.test.kit.js";
import type { Found } from "./read-attestations.js";
import { retriable, unrunJobs } from "./retriable.js";

const estimate = { kind: "history", runs: 12, p90Ms: 1, flakes: 2 } as const;
const plan = planOf({
  one: [unit("a#test"), { ...unit("flaky#test"), estimate }],
  two: [unit("c#test")],
});
const two = attest("two", [passed("c#test")]);
const reported = (...found: Found[]) =>
  Object.fromEntries(
    retriable(plan, judge(plan, found)).map(({ job, because }) => [
      job,
      because,
    ]),
  );

test.each<[string, readonly Found[], Readonly<Record<string, string[]>>]>([
  [
    "all green",
    [attest("one", [passed("a#test"), passed("flaky#test")]), two],
    {},
  ],
  [
    "a leg that never started, and one that was lost",
    [attest("one", [passed("a#test")], { finished: false })],
    {
      one: [
        "flaky#test: one was lost in attempt 1, before this unit was attested",
      ],
      two: ["c#test: two has published no attestation for this plan"],
    },
  ],
  [
    "a machine that failed, and a test that is known to flake",
    [
      attest("one", [failed("a#test", "infrastructure"), failed("flaky#test")]),
      two,
    ],
    {
      one: [
        "a#test: infrastructure it was",
        "flaky#test: suspected flake, as in 2 of its newest 12 runs",
      ],
    },
  ],
  [
    "a failed test and a failed machine: a retry might hide the failed test",
    [
      attest("one", [failed("a#test"), failed("flaky#test", "infrastructure")]),
      two,
    ],
    {},
  ],
  [
    "what cannot be run",
    [
      attest("one", [passed("a#test"), failed("flaky#test", "configuration")]),
      two,
    ],
    {},
  ],
  [
    "another machine has done it",
    [
      attest("one", [failed("a#test", "infrastructure")]),
      attest("one", [passed("a#test"), passed("flaky#test")], { machine: 2 }),
      two,
    ],
    {},
  ],
])("%s", (_, found, jobs) => {
  expect(reported(...found)).toEqual(jobs);
});

test("in an attempt that a person starts, a red job is retriable until that attempt has run it", () => {
  const one = attest("one", [failed("a#test"), passed("flaky#test")]);
  const again = (attempt: number, ...found: Found[]) =>
    retriable(plan, judge(plan, found), unrunJobs(plan, found, attempt)).map(
      ({ job, because }) => [job, ...because],
    );
  expect(again(1, one, two)).toEqual([]);
  expect(again(2, one, two)).toEqual([
    ["one", "a#test: this attempt has not run it yet"],
  ]);
  const other = attest("one", [failed("a#test"), passed("flaky#test")], {
    attempt: 2,
  });
  expect(again(2, one, other, two)).toEqual([]);
  expect(again(3, one, other, two)).toHaveLength(1);
});

test("a job with a real failure on its newest machine is never retriable", () => {
  const arb = fc.record({
    kind: fc.constantFrom("test", "infrastructure", "configuration" as const),
    known: fc.boolean(),
    passes: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(arb, { minLength: 1, maxLength: 5 }), (specs) => {
      const made = planOf({
        job: specs.map(({ known }, index) => ({
          ...unit(`p${index}#test`),
          ...(known && { estimate }),
        })),
      });
      const found = attest(
        "job",
        specs.map(({ kind, passes }, index) =>
          passes ? passed(`p${index}#test`) : failed(`p${index}#test`, kind),
        ),
      );
      const red = specs.filter(({ passes }) => !passes);
      const expected =
        red.length > 0 &&
        red.every(
          ({ kind, known }) =>
            kind === "infrastructure" || (kind === "test" && known),
        );
      expect(retriable(made, judge(made, [found])).length).toBe(
        expected ? 1 : 0,
      );
    }),
  );
});
