import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Env } from "@skein/ci";
import { FEATURE, ZERO, eventWorld, summary } from "./event-world.test.kit.js";
import type { EventWorld } from "./event-world.test.kit.js";
import { readEventChangeset } from "./event.js";

let it: EventWorld;
beforeAll(async () => {
  it = await eventWorld();
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

/** Reads the changeset for an engine's variables, in a checkout of one commit. */
async function read(commit: string, env: Env): Promise<readonly string[]> {
  const clone = await it.checkout(commit);
  return summary(
    await readEventChangeset({
      env,
      clone,
      deepen: "auto",
      onMissingBase: "error",
    }),
  );
}

const gitlab = (commit: string, env: Env): Env => ({
  GITLAB_CI: "true",
  CI_COMMIT_SHA: commit,
  CI_DEFAULT_BRANCH: "main",
  CI_COMMIT_BEFORE_SHA: ZERO,
  ...env,
});
const request = {
  CI_PIPELINE_SOURCE: "merge_request_event",
  CI_MERGE_REQUEST_IID: "7",
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
};

const fromMergeBase = (event: string) => [
  `base main ${it.id("main~1")}`,
  `head #7 ${it.id("feature")}`,
  `${event} via git`,
  ...FEATURE,
];

test("GitLab: a merge request, one commit deep, from the merge base with its target", async () => {
  const commit = it.id("feature");
  expect(await read(commit, gitlab(commit, request))).toEqual(
    fromMergeBase("merge_request_event"),
  );
});

test("GitLab: a diff base that is too new because the target was changed isn't used", async () => {
  const commit = it.id("feature");
  const env = { ...request, CI_MERGE_REQUEST_DIFF_BASE_SHA: commit };
  expect(await read(commit, gitlab(commit, env))).toEqual(
    fromMergeBase("merge_request_event"),
  );
});

test("GitLab: a merged result is compared with its first parent", async () => {
  const commit = it.id("refs/pull/7/merge");
  const env = { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: it.id("feature") };
  expect(await read(commit, gitlab(commit, { ...request, ...env }))).toEqual([
    `base main ${it.id("main")}`,
    `head #7 ${commit}`,
    "merge_request_event via git",
    ...FEATURE,
  ]);
});

test("GitLab: a push from the commit before it; a first push from the default branch", async () => {
  const commit = it.id("main");
  const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" };
  const before = { CI_COMMIT_BEFORE_SHA: it.id("main~1") };
  const known = await read(commit, gitlab(commit, { ...push, ...before }));
  expect(known.slice(0, 3)).toEqual([
    `base the branch before the push ${it.id("main~1")}`,
    `head main ${commit}`,
    "push via git",
  ]);
  const tip = it.id("feature");
  const first = { ...push, CI_COMMIT_BRANCH: "feature" };
  expect(await read(tip, gitlab(tip, first))).toEqual([
    `base main ${it.id("main~1")}`,
    `head feature ${tip}`,
    "push via git",
    ...FEATURE,
  ]);
});

const kite = (commit: string, env: Env): Env => ({
  BUILDKITE: "true",
  BUILDKITE_COMMIT: commit,
  BUILDKITE_SOURCE: "webhook",
  BUILDKITE_PIPELINE_DEFAULT_BRANCH: "main",
  BUILDKITE_PULL_REQUEST: "false",
  ...env,
});

test("Buildkite: a pull request, and a group of the merge queue", async () => {
  const commit = it.id("feature");
  const pull = {
    BUILDKITE_PULL_REQUEST: "7",
    BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main",
    BUILDKITE_BRANCH: "main",
  };
  expect(await read(commit, kite(commit, pull))).toEqual(
    fromMergeBase("webhook"),
  );
  const group = it.id("refs/pull/7/merge");
  const queue = { BUILDKITE_MERGE_QUEUE_BASE_COMMIT: it.id("main") };
  expect(await read(group, kite(group, queue))).toEqual([
    `base the merge group's parent ${it.id("main")}`,
    `head the merge group ${group}`,
    "webhook via git",
    ...FEATURE,
  ]);
});

test("Buildkite: the default branch has no previous commit, so everything is selected", async () => {
  const commit = it.id("main");
  expect(
    await read(commit, kite(commit, { BUILDKITE_BRANCH: "main" })),
  ).toEqual([
    "base none",
    `head main ${commit}`,
    "webhook via git",
    'unknown: no-base: "main" was pushed, and no variable names the commit before it, and it is the default branch',
  ]);
});

test("an engine without a commit is refused", async () => {
  await expect(read(it.id("main"), { GITLAB_CI: "true" })).rejects.toThrow(
    "this CI system's variables contain no commit",
  );
});
