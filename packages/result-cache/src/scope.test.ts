import { expect, test } from "@jest/globals";
import { ciOf } from "@skein/ci";
import { identityOfCi, identityOfRemote } from "./repository-identity.js";
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
  [github("push", main), "default/here"],
  [github("schedule", main), "default/here"],
  [
    github("merge_group", "refs/heads/gh-readonly-queue/main/pr-7"),
    "default/here",
  ],
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
  // These events run on the default branch, but for other people's code.
  [github("pull_request_target", main), alone],
  [github("workflow_run", main), alone],
  [github("issue_comment", main), alone],
  // A step has checked out another commit.
  [github("push", main, c2), alone],
  [github("merge_group", main, c2), alone],
  [github("push", "refs/tags/v1"), alone],
  [{ ...gitlab, CI_COMMIT_BRANCH: "main" }, "default/here"],
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
  [{ ...buildkite, BUILDKITE_BRANCH: "main" }, "default/here"],
  [
    { ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "7" },
    "pull/buildkite/acme/shop/7",
  ],
  [{ ...buildkite, BUILDKITE_MERGE_QUEUE_BASE_COMMIT: c2 }, "default/here"],
  [
    { ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_PULL_REQUEST: "x" },
    alone,
  ],
  [{ ...buildkite, BUILDKITE_BRANCH: "main", BUILDKITE_COMMIT: "HEAD" }, alone],
])("%j is %s", (env, own) => {
  const origin = { ci: ciOf(env), head: c1, githubDefaultBranch: "main" };
  expect(scopeOf({ ...origin, repository: "here" })).toEqual({
    own,
    reads: own === "default/here" ? [own] : [own, "default/here"],
  });
  // If the repository is unknown, no result of a default branch is read or written.
  const unnamed = own === "default/here" ? alone : own;
  expect(scopeOf({ ...origin, repository: undefined })).toEqual({
    ...{ own: unnamed, reads: [unnamed] },
  });
});

test("without the event file, no branch of GitHub counts as the default branch", () => {
  expect(
    scopeOf({
      ci: ciOf(github("push", main)),
      head: c1,
      githubDefaultBranch: undefined,
      repository: "here",
    }).own,
  ).toBe(`branch/github-actions/acme/shop/${main}`);
});

test.each<[string, string | undefined]>([
  ["https://github.com/Acme/Shop.git", "github.com/acme/shop"],
  ["https://user:secret@git.example:8443/a/b/c/", "git.example/a/b/c"],
  ["git@github.com:acme/shop.git", "github.com/acme/shop"],
  ["ssh://git@git.example:22/acme/shop", "git.example/acme/shop"],
  ["/srv/git/shop.git", undefined],
  ["../shop.git", undefined],
  ["file:///srv/git/shop.git", undefined],
  ["C:shop", undefined],
  ["", undefined],
])("the remote %s is %s", (address, identity) => {
  expect(identityOfRemote(address)).toBe(identity);
});

test.each<[Record<string, string>, string | undefined]>([
  [github("push", main), "github.com/acme/shop"],
  [
    { ...github("push", main), GITHUB_SERVER_URL: "https://ghe.example" },
    "ghe.example/acme/shop",
  ],
  [
    { ...gitlab, CI_SERVER_URL: "https://gitlab.example:8443" },
    "gitlab.example/acme/shop",
  ],
  [buildkite, "git.example/acme/shop"],
  [{ CI: "true" }, undefined],
  [{}, undefined],
])("%j runs for %s", (env, identity) => {
  expect(identityOfCi(ciOf(env))).toBe(identity);
});
