import { expect, test } from "@jest/globals";
import { chooseReuse, NO_FINGERPRINTS } from "../units/choose-reuse.js";
import { planInput } from "../fixture.test.kit.js";
import { makePlan } from "../make-plan.js";
import { matrixOutputs } from "./matrix.js";
import { assertPools, readPools, sharesOf } from "./pools.js";
import { planIdOf } from "../file/plan-id.js";
import { parsePlan } from "../file/read-plan.js";

const step = { name: "e2e", script: "lint", workspace: undefined };
const input = planInput(
  { app: [], ml: [], "ml-data": [] },
  {
    pools: { gpu: ["ml*"], big: ["ml-data", "app-*"] },
    application: [{ ...step, shards: undefined, pool: "browsers" }],
  },
);

test("each job runs on one pool: the first one that names the package, or the one that the step names", () => {
  const plan = makePlan(input);
  expect(
    plan.jobs.map(({ id, pool, units }) => [
      id,
      pool,
      units.map(({ whole }) => whole),
    ]),
  ).toEqual([
    ["app-e2e", "browsers", ["root#lint"]],
    ["packages-1", undefined, ["app#test"]],
    ["packages-gpu-1", "gpu", ["ml#test", "ml-data#test"]],
  ]);
  expect(matrixOutputs(plan)).toMatchObject({
    application: '{"include":[{"job":"app-e2e","pool":"browsers"}]}',
    packages:
      '{"include":[{"job":"packages-1"},{"job":"packages-gpu-1","pool":"gpu"}]}',
  });
  expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
});

test("more steps than jobs: the steps are packed with packages of their pool", () => {
  const options = { ...input.options, maxJobs: 2 };
  const pools = { browsers: ["ml*"] };
  const { jobs } = makePlan({ ...input, pools, options });
  expect(
    jobs.map(({ id, units }) => [id, units.map(({ whole }) => whole).sort()]),
  ).toEqual([
    ["packages-browsers-1", ["ml#test", "ml-data#test", "root#lint"]],
    ["packages-1", ["app#test"]],
  ]);
});

test("one job runs everything only if all units belong to one pool", () => {
  const inline = { ...input.options, inline: "always" as const };
  const mixed = makePlan({ ...input, options: inline });
  expect(mixed.jobs).toHaveLength(3);
  expect(mixed.notes).toContain(
    "the units need machines of several pools, so one job cannot run everything",
  );
  const pools = { browsers: ["*"] };
  const { jobs } = makePlan({ ...input, pools, options: inline });
  expect(jobs.map(({ id, pool }) => [id, pool])).toEqual([["all", "browsers"]]);
});

test("a fingerprint applies to one pool", () => {
  const candidate = {
    ...{ whole: "ml#test", workspace: "ml", dir: "ml", script: "test" },
    ...{ command: "jest", step: undefined, why: "it changed" },
  };
  const fingerprint = { hex: "f", fields: {}, varying: [] };
  const now = new Map([["ml#test", fingerprint]]);
  const known = { ...NO_FINGERPRINTS, now };
  const of = (pool: string | undefined) =>
    chooseReuse([{ ...candidate, pool }], known).run[0]?.fingerprint;
  expect(of(undefined)).toBe("f");
  expect(new Set([of(undefined), of("gpu"), of("big")]).size).toBe(3);
});

test.each([
  [20, [1], [20]],
  [20, [3, 1], [15, 5]],
  [10, [0, 0], [9, 1]],
  [7, [5, 1, 1], [5, 1, 1]],
  [1, [5, 1], [1, 1]],
])("%d jobs by the weights %j are %j", (total, weights, shares) => {
  expect(sharesOf(total, weights)).toEqual(shares);
});

test("a pool without machines is refused if the pools with machines are known", () => {
  const plan = makePlan(input);
  const known = readPools('{"gpu": {"runs-on": ["gpu"]}, "big": {}}');
  expect(() => {
    assertPools(plan, known, "the input `pools`");
  }).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        "the job app-e2e runs on the pool browsers, but the machines of this pool are not defined",
      hint: "add it to the input `pools`",
    }),
  );
  assertPools(plan, new Set([...known, "browsers"]), "the input `pools`");
});

test.each([
  ["{", "the pools can't be read: "],
  ["[]", "the pools can't be read: pools isn't an object"],
  ['{"gpu": "x"}', "the pools can't be read: pools.gpu isn't an object"],
  [
    '{"gpu": {"runsOn": "x"}}',
    "the pools can't be read: pools.gpu.runsOn is not a known setting",
  ],
])("%s aren't pools", (text, message) => {
  expect(() => readPools(text)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining(message),
    }),
  );
});

test("a plan whose pool has an invalid character is refused", () => {
  const { jobs, ...plan } = makePlan(input);
  const forged = {
    ...{ ...plan, id: undefined },
    jobs: jobs.map((job) => ({ ...job, pool: "${{ x }}" })),
  };
  const text = JSON.stringify({ ...forged, id: planIdOf(forged) });
  expect(() => parsePlan(text)).toThrow(
    "the pool of a job contains characters other than a-z, 0-9 and -",
  );
});
