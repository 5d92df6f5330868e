import { expect, test } from "@jest/globals";
import type { CiEvent } from "@skein/changes/github";
import { findPull, impactedTargets } from "./targets.js";

const SHA = "a".repeat(40);
const here = { server: undefined, repository: "group/sub/app" };
const event = (asks: CiEvent["asks"]): CiEvent => ({
  name: "x",
  repository: undefined,
  commit: SHA,
  branch: undefined,
  defaultBranch: undefined,
  workflow: undefined,
  asks,
});
const none = {
  source: { kind: "git", includesWorkingTree: false },
  head: undefined,
} as const;

test.each([
  ["nothing", [], [], ["a", "b"], []],
  ["some", [], ["b"], ["a", "b"], ["b"]],
  ["the root too", [], ["root", "b"], ["a", "b"], ["b", "root"]],
  ["each package", [], ["b", "a"], ["a", "b"], "ALL"],
  ["everything, with a reason", [{}], ["b"], ["a", "b"], "ALL"],
  ["no packages", [], [], [], []],
])("targets: %s", (_, everything, affected, names, expected) => {
  const workspaces = new Map(["root", ...names].map((name) => [name, {}]));
  const packages = new Map(affected.map((name) => [name, {}]));
  expect(
    impactedTargets(
      { everything, packages } as unknown as Parameters<
        typeof impactedTargets
      >[0],
      { workspaces, root: "root" } as unknown as Parameters<
        typeof impactedTargets
      >[1],
    ),
  ).toEqual(expected);
});

test("a merge request of GitLab has its source commit, not its trial merge", () => {
  const asks = {
    kind: "merge-request",
    number: 12,
    targetBranch: "main",
    head: "b".repeat(40),
    source: SHA,
  } as const;
  const server = "https://gitlab.example:8443";
  expect(findPull(none, { ...here, server }, event(asks))).toEqual({
    host: "gitlab.example:8443",
    owner: "group/sub",
    name: "app",
    number: 12,
    sha: SHA,
    targetBranch: "main",
  });
});

test("a push and a local run have no pull request", () => {
  const push = {
    kind: "push",
    before: undefined,
    after: SHA,
    forced: false,
  } as const;
  expect(findPull(none, here, event(push))).toBeUndefined();
  expect(findPull(none, here, undefined)).toBeUndefined();
});
