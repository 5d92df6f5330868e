import { expect, test } from "@jest/globals";
import { lastGreenCommit } from "./github-last-green.js";
import { githubWorld, octo, type World } from "./github-world.test.kit.js";

const RUNS = "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";

/** Creates four commits on main, and one that a force push removed. */
const world = () =>
  githubWorld([
    { files: { a: "1" } },
    { branch: "dropped", from: "main", files: { d: "" } },
    { branch: "main", files: { a: "2" } },
    { files: { a: "3" } },
    { files: { a: "4" } },
  ]);
const find = (it: World, branch = "main", workflow = "ci.yml") =>
  lastGreenCommit({ github: it.github, repository: octo, branch, workflow });
const none = (detail: string) => ({
  kind: "none",
  detail: `${detail} (branch "main" of octo/app)`,
});

test("the newest successful run counts, and no similar run", async () => {
  await using it = await world();
  const run = (commit: string, spec: object = {}) =>
    it.fake.addRun(it.repository, { headSha: it.id(commit), ...spec });
  run("main~3");
  run("main~2");
  run("main", { path: ".github/workflows/lint.yml" });
  run("main", { event: "schedule" });
  run("main", { headRepository: "fork/app" });
  run("main", { headBranch: "other" });
  run("main~1", { conclusion: "failure" });
  run("main~1", { conclusion: "skipped" });
  run("main", { conclusion: "neutral" });
  run("main", { conclusion: null, status: "in_progress" });
  expect(await find(it)).toEqual({
    kind: "found",
    commit: it.id("main~2"),
  });
});

test("a run counts by its newest attempt", async () => {
  await using it = await world();
  const add = (commit: string, conclusion: string) =>
    it.fake.addRun(it.repository, { headSha: it.id(commit), conclusion });
  const wasRed = add("main~3", "failure");
  const wasGreen = add("main", "success");
  Object.assign(wasRed, { runAttempt: 2, conclusion: "success" });
  Object.assign(wasGreen, { runAttempt: 2, conclusion: "failure" });
  expect(await find(it)).toMatchObject({ commit: it.id("main~3") });
  Object.assign(wasRed, { status: "in_progress", conclusion: null });
  expect(await find(it)).toEqual(
    none("no run of ci.yml for the event push was green"),
  );
});

test("a green commit that was removed by a force push is skipped, once", async () => {
  await using it = await world();
  it.fake.addRun(it.repository, { headSha: it.id("main~1") });
  it.fake.addRun(it.repository, { headSha: it.id("dropped") });
  it.fake.addRun(it.repository, { headSha: it.id("dropped") });
  it.fake.addRun(it.repository, { headSha: "1".repeat(40) });
  expect(await find(it)).toMatchObject({
    kind: "found",
    commit: it.id("main~1"),
  });
  expect(it.fake.count(COMPARE)).toBe(3);
});

test("if force pushes removed all green commits, there is none", async () => {
  await using it = await world();
  it.fake.addRun(it.repository, { headSha: it.id("dropped") });
  expect(await find(it)).toEqual(
    none("no green run of ci.yml is still on the branch"),
  );
});

test("the green commit may be on the second page", async () => {
  await using it = await world();
  it.fake.addRun(it.repository, { headSha: it.id("main~1") });
  for (let at = 0; at < 120; at++)
    it.fake.addRun(it.repository, { headSha: it.id("dropped") });
  expect(await find(it)).toMatchObject({ commit: it.id("main~1") });
  expect(it.fake.count(RUNS)).toBe(2);
});

test("after many removed green commits, the search stops and reports it", async () => {
  await using it = await world();
  for (let at = 0; at < 60; at++)
    it.fake.addRun(it.repository, {
      headSha: String(at).padStart(40, "1"),
    });
  expect(await find(it)).toEqual(
    none("the 50 newest green runs of ci.yml are not on the branch"),
  );
});

test("an unknown workflow and an unknown branch are reported", async () => {
  await using it = await world();
  expect(await find(it, "main", "gone.yml")).toEqual(
    none("GitHub has no workflow gone.yml"),
  );
  expect(await find(it, "nowhere")).toEqual({
    kind: "none",
    detail: 'GitHub has no such branch (branch "nowhere" of octo/app)',
  });
});
