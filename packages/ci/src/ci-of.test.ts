import { expect, test } from "@jest/globals";
import type { CiChange, Env } from "./ci.js";
import { ciOf } from "./ci-of.js";
import { githubAccessOf, githubRunUrl } from "./github-actions.js";

const A = "a".repeat(40);
const B = "b".repeat(40);
const ZERO = "0".repeat(40);

test("GitHub Actions: every fact, and the file of the event", () => {
  expect(
    ciOf({
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: "push",
      GITHUB_EVENT_PATH: "/event.json",
      GITHUB_JOB: "test",
      GITHUB_OUTPUT: "/output",
      GITHUB_REF: "refs/heads/main",
      GITHUB_REPOSITORY: "octo/app",
      GITHUB_RUN_ATTEMPT: "2",
      GITHUB_RUN_ID: "42",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_SHA: A,
      GITHUB_STEP_SUMMARY: "/summary",
      GITHUB_WORKFLOW_REF: "octo/app/.github/workflows/ci.yml@refs/heads/a@b",
    }),
  ).toEqual({
    engine: "github-actions",
    isCi: true,
    repository: "octo/app",
    server: "https://github.example",
    commit: A,
    ref: "refs/heads/main",
    defaultBranch: undefined,
    pull: undefined,
    run: {
      id: "42",
      attempt: 2,
      url: "https://github.example/octo/app/actions/runs/42",
      job: "test",
      workflow: "ci.yml",
    },
    log: { commands: true },
    outputs: "/output",
    summary: "/summary",
    event: { kind: "file", name: "push", path: "/event.json" },
  });
});

test("without an engine, nothing is written for one, and GitHub's variables are read", () => {
  expect(ciOf({ GITHUB_REPOSITORY: "octo/app" })).toMatchObject({
    engine: undefined,
    isCi: false,
    repository: "octo/app",
    run: { attempt: 1, url: undefined },
    log: { commands: false },
    event: { kind: "file", name: "", path: "" },
  });
  expect(ciOf({ CI: "true" })).toMatchObject({ engine: undefined, isCi: true });
});

test.each([["0"], ["-1"], ["1e3"], ["1234567"], ["two"]])(
  "the attempt %j is the first",
  (attempt) => {
    expect(ciOf({ GITHUB_RUN_ATTEMPT: attempt }).run.attempt).toBe(1);
  },
);

test.each([[0], [-1], [1.5], [NaN]])("%d isn't a run", (id) => {
  expect(githubRunUrl({ repository: "o/a", server: undefined }, id)).toBe(
    undefined,
  );
});

test("an empty GitHub token is skipped only if any token is accepted", () => {
  expect(githubAccessOf({ GITHUB_TOKEN: "", GH_TOKEN: "user" })).toEqual({
    token: "",
    anyToken: "user",
    repository: undefined,
    apiUrl: undefined,
    server: undefined,
  });
});

const gitlab: Env = {
  CI: "true",
  GITLAB_CI: "true",
  CI_COMMIT_SHA: A,
  CI_DEFAULT_BRANCH: "main",
  CI_JOB_NAME: "leg: [packages-1]",
  CI_JOB_URL: "https://gitlab.example/jobs/9",
  CI_PIPELINE_ID: "7",
  CI_PROJECT_PATH: "group/sub/app",
  CI_SERVER_URL: "https://gitlab.example",
};

test("GitLab CI: every fact", () => {
  const { event, ...facts } = ciOf({
    ...gitlab,
    CI_COMMIT_BRANCH: "main",
    CI_PIPELINE_SOURCE: "push",
  });
  expect(event.name).toBe("push");
  expect(facts).toEqual({
    engine: "gitlab-ci",
    isCi: true,
    repository: "group/sub/app",
    server: "https://gitlab.example",
    commit: A,
    ref: "refs/heads/main",
    defaultBranch: "main",
    pull: undefined,
    run: {
      id: "7",
      attempt: 1,
      url: "https://gitlab.example/jobs/9",
      job: "leg: [packages-1]",
      workflow: undefined,
    },
    log: { commands: false },
    outputs: undefined,
    summary: undefined,
  });
});

const request = {
  CI_MERGE_REQUEST_IID: "12",
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  CI_MERGE_REQUEST_PROJECT_ID: "1",
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1",
  CI_MERGE_REQUEST_DIFF_BASE_SHA: B,
  CI_COMMIT_BEFORE_SHA: ZERO,
};
const merge: CiChange = {
  kind: "merge-request",
  number: 12,
  targetBranch: "main",
  head: A,
  source: A,
};
const tag = '"v1" is a tag, and a tag has no base';

test.each<[string, Env, CiChange]>([
  ["a merge request", request, merge],
  [
    "a merged result",
    { ...request, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: B },
    { ...merge, source: B },
  ],
  [
    "a fork, in a child pipeline",
    {
      ...request,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "2",
      CI_PIPELINE_SOURCE: "parent_pipeline",
    },
    merge,
  ],
  [
    "a push",
    { CI_COMMIT_BEFORE_SHA: B, CI_COMMIT_BRANCH: "x" },
    { kind: "push", before: B, after: A },
  ],
  [
    "the first push of a branch",
    { CI_COMMIT_BEFORE_SHA: ZERO },
    { kind: "push", before: undefined, after: A },
  ],
  ["a tag", { CI_COMMIT_TAG: "v1" }, { kind: "no-base", detail: tag }],
  [
    "a schedule",
    { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BEFORE_SHA: B },
    { kind: "no-base", detail: "a schedule has no base" },
  ],
  [
    "no commit",
    { CI_COMMIT_SHA: "--all" },
    { kind: "no-base", detail: "CI_COMMIT_SHA names no commit" },
  ],
])("GitLab CI: %s", (_, env, change) => {
  expect(ciOf({ ...gitlab, ...env }).event).toMatchObject({ change });
});

const kite: Env = {
  BUILDKITE: "true",
  BUILDKITE_BRANCH: "feature",
  BUILDKITE_BUILD_ID: "uuid",
  BUILDKITE_BUILD_URL: "https://buildkite.com/acme/app/builds/3",
  BUILDKITE_COMMIT: A,
  BUILDKITE_PIPELINE_DEFAULT_BRANCH: "main",
  BUILDKITE_PULL_REQUEST: "false",
  BUILDKITE_REPO: "git@github.com:octo/app.git",
  BUILDKITE_RETRY_COUNT: "1",
  BUILDKITE_SOURCE: "webhook",
  BUILDKITE_STEP_KEY: "packages-1",
};

test("Buildkite: every fact", () => {
  expect(ciOf(kite)).toEqual({
    engine: "buildkite",
    isCi: true,
    repository: "octo/app",
    server: "https://github.com",
    commit: A,
    ref: "refs/heads/feature",
    defaultBranch: "main",
    pull: undefined,
    run: {
      id: "uuid",
      attempt: 2,
      url: "https://buildkite.com/acme/app/builds/3",
      job: "packages-1",
      workflow: undefined,
    },
    log: { commands: false },
    outputs: undefined,
    summary: undefined,
    event: {
      kind: "variables",
      name: "webhook",
      change: { kind: "push", before: undefined, after: A },
    },
  });
});

const pull = {
  BUILDKITE_PULL_REQUEST: "12",
  BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main",
  BUILDKITE_PULL_REQUEST_REPO: "https://github.com/octo/app.git",
};

test.each<[string, Env, CiChange]>([
  ["a pull request", pull, merge],
  [
    "a fork",
    { ...pull, BUILDKITE_PULL_REQUEST_REPO: "git://github.com/eve/app.git" },
    merge,
  ],
  [
    "a merge queue's group",
    { BUILDKITE_MERGE_QUEUE_BASE_COMMIT: B },
    { kind: "merge-group", base: B, head: A },
  ],
  ["a tag", { BUILDKITE_TAG: "v1" }, { kind: "no-base", detail: tag }],
  [
    "a schedule",
    { BUILDKITE_SOURCE: "schedule" },
    { kind: "no-base", detail: "a schedule has no base" },
  ],
  [
    "a build of HEAD",
    { BUILDKITE_COMMIT: "HEAD" },
    { kind: "no-base", detail: "BUILDKITE_COMMIT names no commit" },
  ],
])("Buildkite: %s", (_, env, change) => {
  expect(ciOf({ ...kite, ...env }).event).toMatchObject({ change });
});

test.each([
  ["git@github.com:octo/app.git", "https://github.com", "octo/app"],
  ["https://u:p@github.com:8443/octo/app", "https://github.com", "octo/app"],
  [
    "ssh://git@gitlab.example/g/s/app.git/",
    "https://gitlab.example",
    "g/s/app",
  ],
  ["/srv/git/app", undefined, undefined],
])("Buildkite's repository %s", (address, server, repository) => {
  expect(ciOf({ ...kite, BUILDKITE_REPO: address })).toMatchObject({
    server,
    repository,
  });
});

test("a pull request's branch is not a branch of the repository", () => {
  const ci = ciOf({ ...kite, ...pull, BUILDKITE_BRANCH: "main" });
  expect([ci.ref, ci.pull]).toEqual([undefined, 12]);
});
