import { expect, test } from "@jest/globals";
import type { UnitPlan } from "@skein/runner";
import type { PlannedUnit } from "../plan.js";
import { unit } from "../verdict/judge.test.kit.js";
import { planJob, retryPlan, withRuns } from "./unit-plan.js";

/** Formats a plan as lines: `id args <- units that it waits for`. `+` marks units that were pulled in. */
const lines = ({ units }: UnitPlan) =>
  units.map(
    ({ id, args, pulledIn, dependsOn }) =>
      `${pulledIn ? "+" : ""}${[id, ...args].join(" ")}${dependsOn.length > 0 ? ` <- ${dependsOn.join(" ")}` : ""}`,
  );
const scripts = { build: "tsc", test: "jest" };
const workspaces = ["app", "lib"].map((name) => ({ name, dir: name, scripts }));
const job = (units: readonly PlannedUnit[]) =>
  planJob({
    workspaces,
    edges: [{ from: "app", to: "lib" }],
    pipeline: { build: ["^build"], test: ["build"] },
    units,
  });
const shard = (index: number) => ({ index, count: 2, files: [] });

test("a job runs its units, and before them the units of the pipeline, once each", () => {
  expect(lines(job([unit("app#test"), unit("lib#test")]))).toEqual([
    "+lib#build",
    "+app#build <- lib#build",
    "app#test <- app#build",
    "lib#test <- lib#build",
  ]);
});

test("shards are separate units, and units that wait for the whole script wait for each shard", () => {
  const plan = planJob({
    workspaces,
    edges: [],
    pipeline: { build: ["lib#test"] },
    units: [
      unit("lib#test[1/2]", shard(1)),
      unit("lib#test[2/2]", shard(2)),
      { ...unit("app#build"), script: "build" },
    ],
  });
  expect(lines(plan)).toEqual([
    "lib#test[1/2]",
    "lib#test[2/2]",
    "app#build <- lib#test[1/2] lib#test[2/2]",
  ]);
});

test("a retry runs failed units with new arguments, and failed units before them, but none that passed", () => {
  const args = new Map([["app#test", { args: ["--first"], env: {} }]]);
  const plan = withRuns(job([unit("app#test"), unit("lib#test")]), args);
  const again = new Map([["app#test", { args: ["--json"], env: {} }]]);
  const retry = (...passed: string[]) =>
    lines(retryPlan(plan, new Set(["app#test"]), new Set(passed), again));
  expect(retry("lib#build", "app#build")).toEqual(["app#test --json"]);
  expect(retry("lib#build")).toEqual([
    "+app#build",
    "app#test --json <- app#build",
  ]);
  expect(retry()).toEqual([
    "+lib#build",
    "+app#build <- lib#build",
    "app#test --json <- app#build",
  ]);
  expect(
    lines(retryPlan(plan, new Set(["app#test"]), new Set(), new Map())).at(-1),
  ).toBe("app#test --first <- app#build");
});
