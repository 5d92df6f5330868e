import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test as alone } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { concluded } from "./act.js";
import { fillDelivery } from "./delivery.js";
import { makeNeeds } from "./needs.js";
import { jobsThatInstalled, savedCaches, statesOf } from "./results.js";
import { copyOrigin } from "./shop.js";
import { openGitHub, openWorld, seedPlan, startRun } from "./world.js";
import type { World } from "./world.js";

/** The tests run concurrently, because act waits more than it works. */
const test = alone.concurrent;

const VERDICT = "ci-dispatch-verdict/verdict.json";

let world: World;
let shop: World["shop"];
beforeAll(async () => {
  world = await openWorld();
  ({ shop } = world);
}, 300_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const pullEvent = (from: string) => ({
  pull_request: {
    number: 7,
    base: { ref: "main", sha: shop.base },
    head: { ref: "change", sha: shop.head, repo: { full_name: from } },
  },
});

test("a pull request with a flaky, a failing and a killed package, a lost and a recovered leg, and an unchanged package", async () => {
  await using hosted = await openGitHub("octo/shop", shop.origin);
  const { github, repository } = hosted;
  const { result, artifact } = await startRun(
    world,
    "pull",
    "refs/pull/7/merge",
    github,
    {
      event: "pull_request",
      payload: pullEvent("octo/shop"),
      env: { GITHUB_REF: "refs/pull/7/merge" },
    },
  );
  expect(statesOf(await artifact(VERDICT))).toEqual({
    "shop#audit": "passed",
    "broken#test": "failed: test",
    "fine#test": "passed",
    "flaky#test": "flaky: flaky",
    "killed#test": "failed: infrastructure",
    "lost#test": "missing: infrastructure",
    "spot#test": "recovered: infrastructure",
  });
  // act reports every leg as failed if one is; the verdict doesn't use the platform's results.
  expect(result.jobs).toEqual({
    plan: true,
    application: true,
    packages: false,
    judge: true,
    again: false,
    "judge-again": false,
    verdict: false,
    publish: true,
  });
  expect(concluded(result)).toBe("failure");
  // Legs of a pull request save no cache.
  expect(await cachesIn("pull-artifacts")).toEqual([]);
  expect(repository.checkRuns).toMatchObject([
    {
      headSha: shop.head,
      conclusion: "failure",
      title: "red: 2 failed, 1 missing, 1 flaky",
    },
  ]);
  expect(repository.comments).toMatchObject([
    {
      body: expect.stringMatching(
        /### ❌ red: 2 passed, 1 flaky, 1 recovered, 2 failed, 1 missing [^]*\nPredicted: [\d.]+ \w+ of jobs\.\n/,
      ) as unknown,
    },
  ]);
});

test("a fork's pull request that affects nothing runs the application suite, and only the reporter writes to GitHub", async () => {
  await using hosted = await openGitHub("mallory/shop", shop.origin);
  const { github, repository } = hosted;
  const { pull_request } = pullEvent("mallory/shop");
  const head = { ...pull_request.head, sha: shop.base };
  const { result, artifact } = await startRun(world, "fork", "main", github, {
    event: "pull_request",
    payload: { pull_request: { ...pull_request, head } },
    env: { GITHUB_REF: "refs/pull/7/merge" },
  });
  expect(statesOf(await artifact(VERDICT))).toEqual({ "shop#audit": "passed" });
  expect(result).toMatchObject({
    exitCode: 0,
  });
  // The only leg needs no second machine, so the verdict's job judges it.
  expect(result.jobs).toEqual({ plan: true, packages: true, verdict: true });
  expect(github.requests).toEqual([]);

  const reported = await startRun(world, "report", "main", github, {
    workflow: "reporter.yml",
    event: "workflow_run",
    payload: {
      workflow_run: {
        id: 99,
        event: "pull_request",
        conclusion: "success",
        head_sha: shop.head,
        head_branch: "change",
        head_repository: { full_name: "mallory/shop" },
      },
    },
    artifacts: "fork-artifacts",
  });
  expect(reported.result).toMatchObject({
    exitCode: 0,
    jobs: { report: true },
  });
  expect(repository.checkRuns).toMatchObject([
    { headSha: shop.head, conclusion: "success" },
  ]);
  expect(repository.comments).toMatchObject([
    {
      body: expect.stringMatching(
        /### ✅ green: 1 passed [^]*\nPredicted: [\d.]+ \w+ of jobs\.\n/,
      ) as unknown,
    },
  ]);
});

const installedIn = (name: string) => jobsThatInstalled(world.folder, name);
const cachesIn = (name: string) => savedCaches(world.folder, name);

test("a rerun of a push to main keeps its plan, a second machine replaces a lost one, and durations are stored", async () => {
  await using hosted = await openGitHub("octo/shop", shop.origin);
  const { github } = hosted;
  const plan = await seedPlan(world, "push-artifacts", [
    "shop#audit",
    "spot#test",
  ]);
  const { result, artifact } = await startRun(world, "push", "main", github, {
    event: "push",
    payload: { ref: "refs/heads/main", before: shop.base, after: shop.base },
    env: { GITHUB_REF: "refs/heads/main", GITHUB_RUN_ATTEMPT: "2" },
  });
  expect(result.jobs).toEqual({
    plan: true,
    application: true,
    packages: false,
    judge: true,
    again: true,
    "judge-again": true,
    verdict: true,
    publish: true,
    history: true,
  });
  expect(concluded(result)).toBe("success");
  expect(JSON.parse(await artifact(VERDICT))).toMatchObject({
    plan,
    colour: "green",
  });
  // No install script of the workspace runs in a job with a token that writes, or in a job that plans or judges.
  expect(await installedIn("push-artifacts")).toEqual([
    "again",
    "application",
    "packages",
  ]);
  expect(await cachesIn("push-artifacts")).toEqual([
    `refs/heads/main/ci-dispatch-index-${shop.base}`,
    expect.stringMatching(
      /^refs\/heads\/main\/ci-dispatch-install-\w+-\w+-node-24-[0-9a-f]{64}$/,
    ),
  ]);
  // The digest of the index that the planning job has made, which later plans use.
  const digests = gitIn(shop.origin, "show", "ci-history:index-digests.json");
  expect(JSON.parse(digests)).toEqual({
    version: 1,
    digests: [expect.stringMatching(/^[0-9a-f]{64}$/)],
  });
  const tree = ["ls-tree", "--name-only", "ci-history"];
  const lines = gitIn(shop.origin, ...tree)
    .trim()
    .split("\n")
    .filter((name) => !name.endsWith(".json"))
    .flatMap((name) => {
      const bytes = execFileSync("git", ["show", `ci-history:${name}`], {
        cwd: shop.origin,
      });
      const unpack = name.endsWith(".br") ? brotliDecompressSync : gunzipSync;
      return unpack(bytes).toString().trim().split("\n");
    });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { commit: shop.base, unit: "(set-up)", verdict: "passed" },
    { commit: shop.base, unit: "shop#audit", verdict: "passed" },
    { commit: shop.base, unit: "spot#test" },
    {
      kind: "jobs-selected",
      repository: "octo/shop",
      plan,
      selected: { jobs: 2, units: 2 },
    },
    { kind: "run-judged", repository: "octo/shop", plan, units: 2 },
    { crc32: expect.any(Number) as unknown },
  ]);
});

test("main reuses attestations of the merge queue: the planning job judges an empty plan, and no other job is needed", async () => {
  const origin = await copyOrigin(shop, join(world.folder, "queue.git"));
  await using hosted = await openGitHub("octo/shop", origin);
  const { github } = hosted;
  const { settled, bare } = shop;
  const run = (name: string, event: string, payload: object) =>
    startRun(world, name, "bare", github, {
      ...{ origin, event, payload: { ...payload } },
      artifacts: "queue-artifacts",
      env: { GITHUB_REF: "refs/heads/main", GITHUB_RUN_ID: name },
    });
  const merge_group = { base_sha: settled, head_sha: bare };
  const group = await run("queue", "merge_group", {
    merge_group: { ...merge_group, base_ref: "refs/heads/main" },
  });
  // The only leg needs no second machine, so the verdict's job judges it.
  expect(group.result.jobs).toEqual({
    ...{ plan: true, packages: true, verdict: true },
    ...{ publish: true, history: true },
  });
  expect(statesOf(await group.artifact(VERDICT))).toEqual({
    "fine#test": "passed",
  });
  const main = await run("queue-merged", "push", {
    ...{ ref: "refs/heads/main", before: settled, after: bare },
  });
  expect(main.result.exitCode).toBe(0);
  // GitHub counts a skipped check as green. It rejects an empty matrix, for which act runs one leg.
  expect(main.result.jobs).toEqual({
    ...{ plan: true, publish: true, history: true },
  });
  expect(JSON.parse(await main.artifact(VERDICT))).toMatchObject({
    colour: "green",
    units: [],
    reused: [{ whole: "fine#test", run: "queue", commit: bare }],
    sameTree: { run: "queue", commit: bare },
  });
  expect(await installedIn("queue-artifacts")).toEqual(["packages"]);
});

test("a workspace can have pools, variables, steps before and after, LFS, submodules, two versions of Node, and a secret for one step", async () => {
  const origin = join(world.folder, "needs.git");
  const { before, after } = await makeNeeds(shop, world.folder, origin);
  await using hosted = await openGitHub("octo/shop", origin);
  const { result, artifact } = await startRun(
    world,
    "needs",
    "needs",
    hosted.github,
    {
      origin,
      ref: "needs",
      event: "push",
      payload: { ref: "refs/heads/needs", before, after },
      env: { GITHUB_REF: "refs/heads/needs" },
      secrets: { NPM_TOKEN: "s3cret" },
    },
  );
  for (const node of [22, 24])
    expect(
      statesOf(await artifact(`node-${node}-verdict/verdict.json`)),
    ).toEqual({ "fine#test": "passed", "spot#test": "passed" });
  expect(concluded(result)).toBe("success");
  const seen = await readFile(
    join(world.folder, "needs-artifacts.seen"),
    "utf8",
  );
  expect([...new Set(seen.trim().split("\n"))].sort()).toEqual([
    "after: at http://127.0.0.1:5432, no token",
    "before: at http://127.0.0.1:5432, no token",
    "fetch: at http://127.0.0.1:5432, s3cret",
    "focus: fine spot",
    "set-up: at http://127.0.0.1:5432, no token",
    "test: at http://127.0.0.1:5432, no token, LFS: large, submodule: vendored",
    "the action after: at http://127.0.0.1:5432, no token",
    "the action before: at http://127.0.0.1:5432, no token",
  ]);
  // There is one leg for each version of Node, because both packages are in one pool. The focused install succeeded in one
  // leg and failed in the other.
  expect(seen.match(/^focus/gm)).toHaveLength(2);
  expect(seen.match(/^set-up/gm)).toHaveLength(1);
  expect(result.log).not.toContain("s3cret");
});

test("the nightly metrics store events, publish the page, set a status, and fail above the budget", async () => {
  const origin = await copyOrigin(shop, join(world.folder, "night.git"));
  await using hosted = await openGitHub("octo/shop", origin);
  const { github, repository } = hosted;
  fillDelivery(repository, 24, 60);
  const night = (name: string) =>
    startRun(world, name, "main", github, {
      origin,
      workflow: "metrics.yml",
      event: "workflow_dispatch",
      payload: {},
      env: { GITHUB_REF: "refs/heads/main" },
    });
  const kept = await night("night");
  expect(kept.result).toMatchObject({
    exitCode: 0,
    jobs: { measure: true, status: true, publish: true },
  });
  const status = {
    sha: shop.base,
    state: "success",
    context: "commit to publish",
    description: "P90 60 min of 24 pull requests",
  };
  expect(repository.statuses).toMatchObject([status]);
  expect(await kept.artifact("published/index.html")).toContain("60 min");
  const files = gitIn(origin, "ls-tree", "--name-only", "ci-history");
  expect(files).toContain("delivery-state.json.gz");

  fillDelivery(repository, 3, 170);
  const above = await night("night-above");
  expect(above.result).toMatchObject({
    exitCode: 1,
    jobs: { measure: false, status: true, publish: true },
  });
  expect(repository.statuses.at(-1)).toEqual({
    ...status,
    state: "failure",
    description: "P90 170 min of 27 pull requests",
    targetUrl: "https://github.com/octo/shop/actions/runs/1",
  });
});
