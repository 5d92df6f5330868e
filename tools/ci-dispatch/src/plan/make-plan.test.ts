import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parsePlan } from "./file/read-plan.js";
import { makePlan } from "./make-plan.js";
import { matrixOutputs } from "./jobs/matrix.js";
import { workloadOf } from "./jobs/workload.js";
import { measured, planInput } from "./fixture.test.kit.js";

const options = planInput({}).options;
const unitsOf = (plan: ReturnType<typeof makePlan>) =>
  plan.jobs.flatMap(({ units }) => units);

const workspaceArb = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 40 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          name: fc.constant(name),
          files: fc.integer({ min: 0, max: 12 }),
          ms: fc.option(fc.integer({ min: 0, max: 2_000_000 })),
        }),
      ),
    ),
  );

test("no unit or test file is lost or runs twice, for any workspace and options", () => {
  fc.assert(
    fc.property(
      workspaceArb,
      fc.record({
        jobs: fc.option(fc.integer({ min: 1, max: 256 }), { nil: undefined }),
        targetMs: fc.integer({ min: 0, max: 600_000 }),
        maxJobs: fc.integer({ min: 1, max: 256 }),
        onePackagePerJob: fc.boolean(),
      }),
      fc.constantFrom({}, { gpu: ["a*"] }, { gpu: ["*a*"], big: ["b*", "*c"] }),
      (packages, chosen, pools) => {
        const files = Object.fromEntries(
          packages.map(({ name, files: count }) => [
            name,
            Array.from({ length: count }, (_, i) => `${i}.test.js`),
          ]),
        );
        const plan = makePlan(
          planInput(files, {
            history: new Map(
              packages.flatMap(({ name, ms }) =>
                ms === null ? [] : [[`${name}#test`, measured(ms)]],
              ),
            ),
            options: { ...options, ...chosen },
            pools,
          }),
        );
        // Each pool has at least one job.
        const used = new Set(plan.jobs.map(({ pool }) => pool));
        expect(plan.jobs.length).toBeLessThanOrEqual(
          Math.max(chosen.maxJobs, used.size),
        );
        const units = unitsOf(plan);
        expect(new Set(units.map(({ id }) => id)).size).toBe(units.length);
        for (const { name } of packages) {
          const own = units.filter(({ workspace }) => workspace === name);
          const all = files[name] ?? [];
          const whole = own.length === 1 && own[0]?.shard === null;
          const sharded = own.flatMap(({ shard }) => shard?.files ?? []);
          if (!whole) expect(sharded.sort()).toEqual([...all].sort());
          expect(own.length).toBeGreaterThanOrEqual(1);
          expect(own.length).toBeLessThanOrEqual(Math.max(1, all.length));
          for (const { shard } of own)
            if (shard) expect(shard.files.length).toBeGreaterThanOrEqual(1);
        }
        if (
          chosen.onePackagePerJob &&
          packages.length <= chosen.maxJobs &&
          used.size < 2
        )
          expect(plan.jobs).toHaveLength(packages.length);
        expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
      },
    ),
    { numRuns: 200 },
  );
});

test("the workload of the whole project is the same for every change, and equals the plan's if everything is affected", () => {
  const packages = { a: ["a.test.js"], b: [], c: ["1.test.js", "2.test.js"] };
  const history = new Map([
    ["a#test", measured(200_000)],
    ["c#test", measured(400_000, { "1.test.js": 1_000, "2.test.js": 1_000 })],
  ]);
  const input = planInput(packages, { history });
  const all = makePlan(input);
  // a and b share a machine, and c is split over two: 610 s of tests, and 40 s of set-up per machine.
  expect(all.everything).toEqual({ jobs: 3, units: 3, machineMs: 730_000 });
  expect(workloadOf(all.jobs, 40_000)).toEqual(all.everything);
  const { everything, jobs } = makePlan({
    ...input,
    affected: input.affected.map((answer) => ({ ...answer, packages: [] })),
  });
  expect({ everything, jobs }).toEqual({
    everything: all.everything,
    jobs: [],
  });
});

test("the same input results in the same plan and id; another duration of a unit results in another plan", () => {
  const input = (ms: number) =>
    planInput(
      { a: ["1.test.js"], b: [] },
      { history: new Map([["a#test", measured(ms)]]) },
    );
  expect(makePlan(input(1000))).toEqual(makePlan(input(1000)));
  expect(makePlan(input(1000)).id).not.toBe(makePlan(input(1001)).id);
});

describe("the application suite", () => {
  const application = [
    { name: "lint", script: "lint", workspace: undefined, shards: undefined },
    { name: "unit", script: "test", workspace: undefined, shards: 2 },
  ];

  test("is in every plan, and each step or shard has a separate job", () => {
    const plan = makePlan(
      planInput(
        {},
        {
          application,
          testFiles: new Map([["root", ["a.test.js", "b.test.js"]]]),
        },
      ),
    );
    expect(
      plan.jobs.map(({ id, kind, units }) => [id, kind, units[0]?.id]),
    ).toEqual([
      ["app-lint", "application", "root#lint"],
      ["app-unit-1", "application", "root#test[1/2]"],
      ["app-unit-2", "application", "root#test[2/2]"],
    ]);
    expect(matrixOutputs(plan)).toMatchObject({
      any: "true",
      application: '{"job":["app-lint","app-unit-1","app-unit-2"]}',
      "any-application": "true",
      packages: '{"job":[]}',
      "any-packages": "false",
    });
  });

  test("is packed with the packages if there are more steps than jobs", () => {
    const plan = makePlan(
      planInput(
        { a: [], b: [] },
        { application, options: { ...options, maxJobs: 2 } },
      ),
    );
    expect(plan.jobs).toHaveLength(1);
    expect(
      unitsOf(plan)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["a#test", "b#test", "root#lint", "root#test"]);
  });

  test("a step with a missing script is refused, with a suggestion", () => {
    const step = { ...application[0], name: "lint", script: "lnt" };
    expect(() =>
      makePlan(
        planInput(
          {},
          {
            application: [{ ...step, workspace: undefined, shards: undefined }],
          },
        ),
      ),
    ).toThrow(
      expect.objectContaining({
        message:
          "the application step lint names the script lnt, which root does not have",
        hint: "did you mean lint?",
        exitCode: 2,
      }),
    );
  });
});

test.each([
  [["tset"], "did you mean test?"],
  [["lint"], "the root has one: make it a step of the application suite"],
  [["test", "e2e"], "name scripts that packages have"],
])("scripts %j: a script that no package has is refused", (scripts, hint) => {
  expect(() => makePlan(planInput({ a: [] }, { scripts }))).toThrow(
    expect.objectContaining({
      message: `no package has a script called "${scripts.at(-1)}"`,
      hint: expect.stringContaining(hint),
      exitCode: 2,
    }),
  );
});

test("nothing affected: no jobs, and outputs that skip the matrix", () => {
  const plan = makePlan(planInput({}));
  expect(plan.jobs).toEqual([]);
  expect(matrixOutputs(plan)).toEqual({
    matrix: '{"job":[]}',
    any: "false",
    application: '{"job":[]}',
    "any-application": "false",
    packages: '{"job":[]}',
    "any-packages": "false",
    inline: "false",
    limits: "{}",
    traces: "",
    plan: plan.id,
  });
});

test("10,000 affected packages result in at most 256 jobs, far below the size limit of outputs", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `package-${i}`);
  const plan = makePlan(
    planInput(Object.fromEntries(names.map((name) => [name, []])), {
      options: { ...options, maxJobs: 256 },
    }),
  );
  expect(plan.jobs).toHaveLength(256);
  expect(unitsOf(plan)).toHaveLength(10_000);
  expect(matrixOutputs(plan).matrix.length).toBeLessThan(10_000);
  expect(plan.prediction.ratio).toBeLessThan(1.03);
});

test("a unit above the target is split by the durations of its files; one without Jest isn't, with a note", () => {
  const files = { "a.test.js": 300, "b.test.js": 200, "c.test.js": 100 };
  const input = planInput(
    { big: Object.keys(files), mocha: ["a.test.js", "b.test.js"] },
    {
      history: new Map([
        ["big#test", measured(600_000, files)],
        ["mocha#test", measured(500_000)],
      ]),
    },
  );
  const plan = makePlan({
    ...input,
    workspaces: input.workspaces.map((each) =>
      each.name === "mocha" ? { ...each, scripts: { test: "mocha" } } : each,
    ),
  });
  expect(
    unitsOf(plan)
      .map(({ id, expectedMs, shard }) => [
        id,
        expectedMs,
        shard?.files ?? null,
      ])
      .sort(),
  ).toEqual([
    ["big#test[1/3]", 300_000, ["a.test.js"]],
    ["big#test[2/3]", 200_000, ["b.test.js"]],
    ["big#test[3/3]", 100_000, ["c.test.js"]],
    ["mocha#test", 500_000, null],
  ]);
  expect(plan.notes).toEqual([
    "mocha#test takes longer than the target and cannot be split: it isn't run by Jest, Vitest or Playwright, or has only one test file",
  ]);
  expect(plan.prediction.boundBy).toEqual({
    kind: "largest-unit",
    unit: "mocha#test",
  });
});

test("timeouts are three times the P90 within bounds, and an estimate never shortens one", () => {
  const plan = makePlan(
    planInput(
      { quick: [], middle: [], slow: [], unknown: ["a.test.js"] },
      {
        history: new Map([
          ["quick#test", measured(500)],
          ["middle#test", measured(100_000)],
          ["slow#test", measured(900_000)],
        ]),
      },
    ),
  );
  expect(
    Object.fromEntries(
      unitsOf(plan).map(({ workspace, timeoutMs }) => [workspace, timeoutMs]),
    ),
  ).toEqual({
    quick: 60_000,
    middle: 300_000,
    slow: 1_800_000,
    unknown: 600_000,
  });
});

test("an affected package without the script, and the root, are planned skips; a package that doesn't exist is refused", () => {
  const input = planInput({ a: [], docs: [] });
  const plan = makePlan({
    ...input,
    workspaces: input.workspaces.map((each) =>
      each.name === "docs" ? { ...each, scripts: {} } : each,
    ),
    affected: input.affected.map((answer) => ({
      ...answer,
      packages: [...answer.packages, { name: "root", dir: ".", why: "file x" }],
    })),
  });
  expect(plan.skipped).toEqual([
    { workspace: "docs", script: "test", why: "no-script" },
    { workspace: "root", script: "test", why: "root" },
  ]);
  expect(() =>
    makePlan({ ...input, workspaces: input.workspaces.slice(0, 2) }),
  ).toThrow("docs is affected, but is not in this workspace");
});

test("answers for other scripts don't count", () => {
  const input = planInput({ a: [] });
  expect(() =>
    makePlan({
      ...input,
      affected: input.affected.map((each) => ({ ...each, script: "build" })),
    }),
  ).toThrow("no answer covers the script test");
});

test("small jobs are merged into one that includes the application suite and splits no unit", () => {
  const plan = makePlan(
    planInput(
      { lib: ["a.test.js", "b.test.js"], ui: ["a.test.js"] },
      {
        application: [
          {
            name: "lint",
            script: "lint",
            workspace: undefined,
            shards: undefined,
          },
        ],
        options: { ...options, inline: "auto" },
      },
    ),
  );
  expect(
    plan.jobs.map(({ id, kind, units }) => [id, kind, units.map((u) => u.id)]),
  ).toEqual([["all", "inline", ["root#lint", "lib#test", "ui#test"]]]);
  expect(matrixOutputs(plan)).toMatchObject({
    "any-application": "false",
    packages: '{"job":["all"]}',
    "any-packages": "true",
    inline: "true",
  });
  expect(plan.notes[0]).toMatch(/^one job runs everything: 2 jobs and one /);
});
