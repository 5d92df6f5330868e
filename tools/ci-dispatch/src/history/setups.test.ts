import { expect, test } from "@jest/globals";
import { planInput } from "../plan/fixture.test.kit.js";
import { makePlan } from "../plan/make-plan.js";
import { judge } from "../verdict/judge.js";
import { parseVerdict } from "../verdict/read-verdict.js";
import { measure } from "./measure.js";
import { eventsOf } from "./record.js";

test("set-up times go from the attestations through the verdict to the history", () => {
  const input = planInput({ a: [], b: [], c: [] });
  const plan = makePlan({
    ...input,
    options: { ...input.options, onePackagePerJob: true },
  });
  const turns = [
    ["packages-1", 1, 90_000],
    ["packages-1", 2, 30_000],
    ["packages-2", 1, 50_000],
    ["packages-3", 1, undefined],
  ] as const;
  const verdict = judge(
    plan,
    turns.map(([job, machine, setupMs]) => ({
      file: `${job}.1.${machine}.json`,
      attestation: {
        version: 1,
        plan: plan.id,
        job,
        attempt: 1,
        machine,
        finished: true,
        ...(setupMs !== undefined && { setupMs }),
        units: [],
      },
    })),
  );
  expect(verdict.setups).toEqual({
    "packages-1": 30_000,
    "packages-2": 50_000,
  });
  expect(parseVerdict(JSON.stringify(verdict))).toEqual(verdict);
  const events = eventsOf(verdict, "2026-01-01T00:00:00.000Z");
  expect(measure(events).get("(set-up)")).toMatchObject({
    runs: 1,
    p90Ms: 50_000,
  });
});
