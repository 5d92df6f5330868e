import { expect, test } from "@jest/globals";
import { ciOf } from "@skein/ci";
import { scopeOf } from "./scope.js";

const [c1, c2] = ["1".repeat(40), "2".repeat(40)];
const alone = `commit/${c1}`;
const github = (
  GITHUB_EVENT_NAME: string,
  GITHUB_REF: string,
  GITHUB_SHA = c1,
) => ({
  ...{ CI: "true", GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/shop" },
  ...{ GITHUB_EVENT_NAME, GITHUB_REF, GITHUB_SHA },
});
const main = "refs/heads/main";
const gitlab = {
  ...{ CI: "true", GITLAB_CI: "true", CI_PROJECT_PATH: "acme/shop" },
  ...{ CI_DEFAULT_BRANCH: "main", CI_COMMIT_SHA: c1 },
};
const buildkite = {
  ...{
    CI: "true",
    BUILDKITE: "true",
    BUILDKITE_REPO: "git@git.example:acme/shop.git",
  },
  ...{ BUILDKITE_PIPELINE_DEFAULT_BRANCH: "main", BUILDKITE_COMMIT: c1 },
  BUILDKITE_PULL_REQUEST: "false",
};

test.each<[Record<string, string>, string]>([
  [{}, "local"],
  [{ CI: "true" }, alone],
  [github("push", main), "default"],
  [github("schedule", main), "default"],
  [github("merge_group", "refs/heads/gh-readonly-queue/main/pr-7"), "default"],
  [
    github("push", "refs/heads/next"),
    "branch/github-actions/acme/shop/refs/heads/next",
  ],
  [
    github("pull_request", "refs/pull/7/merge"),
    "pull/github-actions/acme/shop/7",
  ],
  [
    github("pull_request", "refs/pull/7/merge", c2),
    "pull/github-actions/acme/shop/7",
  ],
  // These run on the default branch, for somebody else's code.
  [github("pull_request_target", main), alone],
  [github("workflow_run", main), alone],
  [github("issue_comment", main), alone],
  // A step has checked out something else.
  [github("push", main, c2), alone],
  [github("merge_group", main, c2), alone],
  [github("push", "refs/tags/v1"), alone],
  [{ ...gitlab, CI_COMMIT_BRANCH: "main" }, "default"],
  [
    { ...gitlab, CI_COMMIT_BRANCH: "next" },
    "branch/gitlab-ci/acme/shop/refs/heads/next",
  ],
  [{ ...gitlab, CI_MERGE_REQUEST_IID: "7" }, "pull/gitlab-ci/acme/shop/7"],
  [
    { ...gitlab, CI_COMMIT_BRANCH: "main", CI_MERGE_REQUEST_IID: "7" },
    "pull/gitlab-ci/acme/shop/7",
  ],
  [{ ...gitlab, CI_COMMIT_TAG: "v1" }, alone],
  [{ ...buildkite, BUILDKITE_BRANCH: "main" }, "default"],
  [
    { ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "7" },
    "pull/buildkite/acme/shop/7",
  ],
  [{ ...buildkite, BUILDKITE_MERGE_QUEUE_BASE_COMMIT: c2 }, "default"],
  [
    { ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "x" },
    alone,
  ],
  [{ ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_COMMIT: "HEAD" }, alone],
])("%j is %s", (env, own) => {
  expect(
    scopeOf({ ci: ciOf(env), head: c1, githubDefaultBranch: "main" }),
  ).toEqual({
    own,
    reads: own === "default" ? ["default"] : [own, "default"],
  });
});

test("without the event file, no branch of GitHub is the default one", () => {
  expect(
    scopeOf({
      ci: ciOf(github("push", main)),
      head: c1,
      githubDefaultBranch: undefined,
    }).own,
  ).toBe(`branch/github-actions/acme/shop/${main}`);
});
