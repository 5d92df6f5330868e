import { expect, test } from "@jest/globals";
import type { AttestedUnit } from "../attestation.js";
import { judge } from "./judge.js";
import { attest, failed, passed, planOf, unit } from "./judge.test.kit.js";

const plan = planOf({ one: [unit("a#test"), unit("b#test")] });
const evidenceOf = (...found: Parameters<typeof judge>[1]) =>
  judge(plan, found).units.map(({ failure }) => failure?.evidence);

test("the running unit of a lost machine is named, and its other units are missing for the same reason", () => {
  const lost = attest("one", [passed("a#test")], {
    finished: false,
    running: ["b#test"],
  });
  expect(evidenceOf(lost)).toEqual([
    undefined,
    ["one was lost in attempt 1, while b#test ran"],
  ]);
  const nothing = attest("one", [], {
    finished: false,
    running: ["lib#build", "lib#build"],
  });
  expect(evidenceOf(nothing)).toEqual([
    ["one was lost in attempt 1, while lib#build ran"],
    ["one was lost in attempt 1, while lib#build ran"],
  ]);
});

test("the running unit of a lost machine is named even if the next machine passes", () => {
  const lost = attest("one", [], { finished: false, running: ["a#test"] });
  const second = attest("one", [passed("a#test"), passed("b#test")], {
    machine: 2,
  });
  expect(evidenceOf(lost, second)[1]).toEqual([
    "attempt 1: it was lost while a#test ran",
  ]);
});

test("at most ten running units are named", () => {
  const running = Array.from({ length: 30 }, (_, index) => `u${index}`);
  const [first] = evidenceOf(attest("one", [], { finished: false, running }));
  expect(first).toEqual([
    `one was lost in attempt 1, while ${running.slice(0, 10).join(", ")} ran`,
  ]);
});

/** Returns a failed unit whose last run has this output. */
const printing = (
  printed: Pick<AttestedUnit["attempts"][number], "lastLines" | "log">,
  test?: string,
): AttestedUnit => {
  const reported = failed("a#test");
  const named = { file: "a.js", line: 1, name: test ?? "", message: "" };
  return {
    ...reported,
    attempts: reported.attempts.map((attempt) => ({
      ...attempt,
      ...printed,
      failedTests: test === undefined ? [] : [named],
    })),
  };
};

test("a failed unit without a named test has its last lines, and the path of its log relative to the attestations", () => {
  const log = "one.1.1.logs/1.log";
  const judged = (reported: AttestedUnit, file: string) => {
    const [first] = judge(plan, [{ ...attest("one", [reported]), file }]).units;
    return { lastLines: first?.lastLines, log: first?.log };
  };
  const reported = printing({ lastLines: ["no"], log });
  const folder = "ci-dispatch-attestation-one.1.1";
  expect(judged(reported, `${folder}/one.1.1.json`)).toEqual({
    lastLines: ["no"],
    log: `${folder}/${log}`,
  });
  expect(judged(reported, `${folder}\\one.1.1.json`).log).toBe(
    `${folder}/${log}`,
  );
  expect(judged(reported, "one.1.1.json").log).toBe(log);
  expect(
    judged(printing({ lastLines: ["no"], log }, "adds"), "x.json"),
  ).toEqual({ lastLines: undefined, log: undefined });
});

test("excess last lines are cut to the last ones, and long lines to their beginning", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `${index}`);
  const [first] = judge(plan, [
    attest("one", [printing({ lastLines: [...lines, "x".repeat(999)] })]),
  ]).units;
  expect(first?.lastLines).toEqual([...lines.slice(31), "x".repeat(300)]);
});

test("a unit that passed in the end has no last lines", () => {
  const flake = {
    ...printing({ lastLines: ["no"] }),
    verdict: "passed" as const,
  };
  const [first] = judge(plan, [attest("one", [flake])]).units;
  expect(first).not.toHaveProperty("lastLines");
});

test("empty shards are red, even if a machine was lost or a test flaked before", () => {
  const shard = (index: number) => ({
    index,
    count: 2,
    files: [`${index}.js`],
  });
  const ids = ["a#test[1/2]", "a#test[2/2]"];
  const sharded = planOf({
    one: ids.map((id, index) => unit(id, shard(index + 1))),
  });
  const shards = (kind: "test" | "infrastructure") =>
    judge(sharded, [
      attest(
        "one",
        ids.map((id) => failed(id, kind)),
      ),
      attest(
        "one",
        ids.map((id) => passed(id)),
        { attempt: 2 },
      ),
    ]);
  for (const kind of ["test", "infrastructure"] as const)
    expect(shards(kind)).toMatchObject({
      exitCode: 1,
      units: ids.map((id) => ({
        id,
        state: "failed",
        failure: {
          class: "configuration",
          evidence: ["none of its shards has run a single test file"],
        },
      })),
    });
});
