import { expect, test } from "@jest/globals";
import { planOf, sealed, unit } from "../../verdict/judge.test.kit.js";
import { parsePlan } from "./read-plan.js";

test("a plan with a duplicate job or unit is refused, because one could attest the other", () => {
  const plan = planOf({ one: [unit("a#test")], two: [unit("b#test")] });
  const [one, two] = plan.jobs;
  const parse = (jobs: readonly unknown[]) => () =>
    parsePlan(JSON.stringify(sealed({ ...plan, jobs })));
  expect(parse([one, two])()).toEqual(sealed(plan));
  expect(parse([one, { ...two, id: "one" }])).toThrow(
    "the job one appears twice",
  );
  expect(parse([one, { ...two, units: one?.units }])).toThrow(
    "the unit a#test appears twice",
  );
});

test.each(["../one", "a b", "One", "-one", "", "a".repeat(81)])(
  "the job %j is refused, because its id becomes part of file names",
  (id) => {
    const plan = planOf({ [id]: [] });
    expect(() => parsePlan(JSON.stringify(sealed(plan)))).toThrow(
      "the id of a job contains characters other than a-z, 0-9 and -",
    );
  },
);
