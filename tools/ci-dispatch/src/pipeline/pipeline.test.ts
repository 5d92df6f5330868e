import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { planInput } from "../plan/fixture.test.kit.js";
import { makePlan } from "../plan/make-plan.js";
import type { Plan } from "../plan.js";
import { buildkitePipeline } from "./buildkite.js";
import { gitlabPipeline } from "./gitlab.js";
import type { Members, PipelineInput } from "./pipeline.js";
import { writePipeline } from "./write-pipeline.js";

const input = (plan: Plan, settings: Members = {}): PipelineInput => ({
  plan,
  file: "out/plan.json",
  before: "yarn install",
  tool: "npx tool",
  settings,
});
const two = makePlan(
  planInput(
    { a: ["a.test.js"] },
    {
      application: [
        {
          name: "lint",
          script: "lint",
          workspace: undefined,
          shards: undefined,
        },
      ],
    },
  ),
);
const none = makePlan(planInput({}));
const PLAN = { pipeline: "$PARENT_PIPELINE_ID", job: "plan" };
const verdict = (id: string) =>
  `npx tool verdict --plan out/plan.json --plan-id ${id} --attestations .ci-dispatch --layout artifacts --report verdict.json --summary verdict.md --junit junit.xml --coverage coverage`;

test("GitLab: one matrix for all jobs, each of which can attest only itself, and a verdict job", () => {
  const settings = {
    image: "node:24",
    variables: { A: "1" },
    script: ["evil"],
  };
  expect(gitlabPipeline(input(two, settings))).toEqual({
    stages: ["test", "verdict"],
    leg: {
      image: "node:24",
      variables: { A: "1" },
      stage: "test",
      needs: [PLAN],
      parallel: { matrix: [{ JOB: ["app-lint", "packages-1"] }] },
      timeout: "40 minutes",
      interruptible: true,
      allow_failure: true,
      script: [
        "yarn install",
        `yarn ci-dispatch exec --plan out/plan.json --plan-id ${two.id} --job "$JOB" --attempt 1 --attestations ".ci-dispatch/ci-dispatch-attestation-$JOB.1.1"`,
      ],
      artifacts: {
        when: "always",
        paths: [".ci-dispatch/ci-dispatch-attestation-$JOB.1.1/"],
        expire_in: "1 week",
      },
    },
    verdict: {
      image: "node:24",
      variables: { A: "1", GIT_STRATEGY: "none" },
      stage: "verdict",
      when: "always",
      needs: [PLAN, { job: "leg", artifacts: true }],
      before_script: [],
      script: ["mkdir -p .ci-dispatch", verdict(two.id)],
      artifacts: {
        when: "always",
        paths: ["verdict.json", "verdict.md", "junit.xml", "coverage/*"],
        reports: { junit: "junit.xml" },
      },
    },
  });
});

test("the jobs of a pool have its settings; on GitLab they are a separate matrix", () => {
  const jobs = two.jobs.map((job) =>
    job.kind === "packages" ? { ...job, pool: "gpu" } : job,
  );
  const pooled = {
    ...input({ ...two, jobs }, { tags: ["linux"], retry: 1 }),
    pools: { gpu: { tags: ["gpu"] } },
  };
  expect(gitlabPipeline(pooled)).toMatchObject({
    "leg-1": {
      ...{ tags: ["linux"], retry: 1 },
      parallel: { matrix: [{ JOB: ["app-lint"] }] },
    },
    "leg-2": {
      ...{ tags: ["gpu"], retry: 1 },
      parallel: { matrix: [{ JOB: ["packages-1"] }] },
    },
    verdict: { tags: ["linux"] },
  });
  expect(buildkitePipeline(pooled)).toMatchObject({
    steps: [
      { label: "app-lint", tags: ["linux"] },
      { label: "packages-1", tags: ["gpu"] },
      { label: "verdict", tags: ["linux"] },
    ],
  });
});

test("GitLab: without jobs there is only the verdict; more jobs than a matrix allows are several matrices", () => {
  expect(gitlabPipeline(input(none))).toMatchObject({
    verdict: { needs: [PLAN] },
  });
  const jobs = Array.from({ length: 401 }, (_, index) =>
    two.jobs.slice(0, 1).map((job) => ({ ...job, id: `packages-${index}` })),
  ).flat();
  const many = gitlabPipeline(input({ ...two, jobs })) as Record<
    string,
    { parallel?: { matrix: { JOB: string[] }[] } }
  >;
  expect(
    Object.entries(many).map(([name, { parallel }]) => [
      name,
      parallel?.matrix[0]?.JOB.length,
    ]),
  ).toEqual([
    ["stages", undefined],
    ["leg-1", 200],
    ["leg-2", 200],
    ["leg-3", 1],
    ["verdict", undefined],
  ]);
});

test("Buildkite: a step for each job, and a verdict step that downloads each job's folder only from that job's step", () => {
  const plan = "buildkite-agent artifact download out/plan.json . --step plan";
  const leg = (id: string) => ({
    agents: { queue: "q" },
    label: id,
    key: `leg-${id}`,
    commands: [
      plan,
      "yarn install",
      `yarn ci-dispatch exec --plan out/plan.json --plan-id ${two.id} --job "${id}" --attempt 1 --attestations ".ci-dispatch/ci-dispatch-attestation-${id}.1.1"`,
    ],
    artifact_paths: [`.ci-dispatch/ci-dispatch-attestation-${id}.1.1/**/*`],
    timeout_in_minutes: 40,
    soft_fail: true,
  });
  const fetched = (id: string) =>
    `buildkite-agent artifact download '.ci-dispatch/ci-dispatch-attestation-${id}.1.1/**/*' . --step leg-${id} || true`;
  expect(buildkitePipeline(input(two, { agents: { queue: "q" } }))).toEqual({
    steps: [
      leg("app-lint"),
      leg("packages-1"),
      {
        agents: { queue: "q" },
        label: "verdict",
        key: "verdict",
        depends_on: [
          { step: "leg-app-lint", allow_failure: true },
          { step: "leg-packages-1", allow_failure: true },
        ],
        commands: [
          plan,
          "rm -rf .ci-dispatch && mkdir .ci-dispatch",
          fetched("app-lint"),
          fetched("packages-1"),
          verdict(two.id),
        ],
        artifact_paths: [
          "verdict.json",
          "verdict.md",
          "junit.xml",
          "coverage/*",
        ],
      },
    ],
  });
});

test.each([gitlabPipeline, buildkitePipeline])(
  "%p: an invalid id is refused",
  (write) => {
    const jobs = two.jobs.map((job) => ({ ...job, id: "a;reboot" }));
    expect(() => write(input({ ...two, jobs }))).toThrow(
      new RangeError('not the id of a job: "a;reboot"'),
    );
  },
);

test.each([
  ["[1]", "the settings of jobs aren't an object"],
  ['{"pools": {"gpu": 1}}', "the settings of pools aren't objects"],
  ["{", "the settings of jobs can't be read: "],
])("job settings with %j are refused", async (text, words) => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "job.json"), text);
  const options = {
    engine: "gitlab",
    out: "child.yml",
    before: "true",
    tool: "tool",
    jobSettings: "job.json",
  } as const;
  await expect(
    writePipeline(dir.path, two, options, "plan.json"),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
    place: { file: "job.json" },
  });
  expect(await readdir(dir.path)).toEqual(["job.json"]);
});
