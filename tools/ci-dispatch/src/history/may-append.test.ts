import { expect, test } from "@jest/globals";
import { mayAppend } from "./may-append.js";

const repository = { default_branch: "main" };

test.each([
  ["push", "refs/heads/main", { repository }, undefined],
  [
    "push",
    "refs/heads/topic",
    { repository },
    "this run is for refs/heads/topic, and the default branch is main",
  ],
  [
    "merge_group",
    "refs/heads/gh-readonly-queue/main/pr-1",
    { repository, merge_group: { base_ref: "refs/heads/main" } },
    undefined,
  ],
  [
    "merge_group",
    "refs/heads/main",
    { repository, merge_group: { base_ref: "refs/heads/release" } },
    "this run is for a group of refs/heads/release, and the default branch is main",
  ],
  [
    "merge_group",
    "refs/heads/main",
    { repository },
    "this run is for a group of an unknown branch, and the default branch is main",
  ],
  [
    "pull_request",
    "refs/heads/main",
    { repository },
    "this run is for the event pull_request",
  ],
])("%s of %s", (event, ref, payload, why) => {
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: ref,
  };
  expect(mayAppend(env, JSON.stringify(payload))).toBe(why);
});
