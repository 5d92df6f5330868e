import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { findDefaultBranch } from "./default-branch.js";
import { RepositoryError } from "../errors.js";
import { openRepository } from "../repository.js";

/** A repository with one commit, some refs that point to it, and settings. */
interface Situation {
  /** The current branch. Default: `work`. */
  readonly on?: string;
  readonly refs?: readonly string[];
  /** Symbolic refs: `refs/remotes/origin/HEAD` and its target. */
  readonly heads?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  readonly setting?: string;
}

async function ask({
  on = "work",
  refs = [],
  heads = {},
  config = {},
  setting,
}: Situation) {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ branch: on, files: { a: "1" } }]);
  for (const ref of refs) gitIn(dir.path, "update-ref", ref, "HEAD");
  for (const [name, target] of Object.entries(heads))
    gitIn(dir.path, "symbolic-ref", name, target);
  for (const [key, value] of Object.entries(config))
    gitIn(dir.path, "config", key, value);
  const repository = await openRepository({ cwd: dir.path, env: gitTestEnv });
  try {
    const { name, via, how } = await findDefaultBranch(repository, setting);
    return `${name} (${how}, ${via})`;
  } catch (error) {
    if (error instanceof RepositoryError) return error.problem;
    throw error;
  }
}

const ORIGIN_HEAD = "refs/remotes/origin/HEAD";
const trunk = "refs/remotes/origin/trunk";
const main = "refs/remotes/origin/main";
const master = "refs/remotes/origin/master";

describe("the default branch", () => {
  test.each<[string, Situation, string]>([
    [
      "the remote says",
      { refs: [trunk, main], heads: { [ORIGIN_HEAD]: trunk } },
      `origin/trunk (remote-head, ${ORIGIN_HEAD})`,
    ],
    [
      "the remote's HEAD stands for a branch that is gone",
      { refs: [main], heads: { [ORIGIN_HEAD]: trunk } },
      `origin/main (convention, ${main})`,
    ],
    [
      "the setting comes first",
      { refs: [trunk, main], heads: { [ORIGIN_HEAD]: main }, setting: "trunk" },
      `origin/trunk (setting, ${trunk})`,
    ],
    [
      "the setting names a remote",
      {
        refs: [main, "refs/remotes/fork/main"],
        setting: "fork/main",
      },
      "fork/main (setting, refs/remotes/fork/main)",
    ],
    [
      "the setting is a full name",
      { refs: ["refs/tags/v1"], setting: "refs/tags/v1" },
      "v1 (setting, refs/tags/v1)",
    ],
    [
      "git's own setting comes before the usual names",
      { refs: [trunk, main], config: { "init.defaultBranch": "trunk" } },
      `origin/trunk (init-default-branch, ${trunk})`,
    ],
    [
      "git's own setting decides between the usual names",
      { refs: [main, master], config: { "init.defaultBranch": "master" } },
      `origin/master (init-default-branch, ${master})`,
    ],
    [
      "git's own setting names nothing here",
      { refs: [master], config: { "init.defaultBranch": "trunk" } },
      `origin/master (convention, ${master})`,
    ],
    [
      "the remote's main before the local one",
      { on: "main", refs: [main] },
      `origin/main (convention, ${main})`,
    ],
    [
      "no remote at all",
      { on: "master" },
      "master (convention, refs/heads/master)",
    ],
    [
      "the remote has another name, which the current branch follows",
      {
        refs: ["refs/remotes/a/main", "refs/remotes/upstream/main"],
        config: {
          "remote.upstream.url": "nowhere",
          "remote.upstream.fetch": "+refs/heads/*:refs/remotes/upstream/*",
          "branch.work.remote": "upstream",
          "branch.work.merge": "refs/heads/main",
        },
      },
      "upstream/main (convention, refs/remotes/upstream/main)",
    ],
    [
      "the only remote has another name",
      {
        refs: ["refs/remotes/company/dev"],
        heads: { "refs/remotes/company/HEAD": "refs/remotes/company/dev" },
      },
      "company/dev (remote-head, refs/remotes/company/HEAD)",
    ],
    [
      "a branch that only begins with the name is not it",
      { on: "main", refs: ["refs/heads/master/old"] },
      "main (convention, refs/heads/main)",
    ],
  ])("%s", async (_, situation, expected) => {
    expect(await ask(situation)).toBe(expected);
  });
});

test("without a default branch, the error lists the attempts", async () => {
  expect(await ask({ refs: ["refs/remotes/origin/topic"] })).toEqual({
    kind: "no-default-branch",
    tried: ["origin/HEAD", "origin/main", "main", "origin/master", "master"],
  });
});

test.each(["nothing", "-x", "*", "ma\nin", ""])(
  "a setting without an existing branch is refused: %j",
  async (setting) => {
    expect(await ask({ refs: [main], setting })).toEqual({
      kind: "unknown-ref",
      ref: setting,
      suggestions: ["origin/main"],
      command: undefined,
      message: undefined,
    });
  },
);

test("a clone uses the default branch of its remote", async () => {
  await using dir = await tempDir();
  const remote = join(dir.path, "remote");
  const clone = join(dir.path, "clone");
  await mkdir(remote);
  buildHistory(remote, [{ branch: "trunk", files: { a: "1" } }]);
  gitIn(dir.path, "clone", "-q", "-o", "company", remote, clone);
  const repository = await openRepository({ cwd: clone, env: gitTestEnv });
  expect(await findDefaultBranch(repository)).toEqual({
    name: "company/trunk",
    ref: "refs/remotes/company/trunk",
    via: "refs/remotes/company/HEAD",
    commit: gitIn(remote, "rev-parse", "HEAD").trim(),
    how: "remote-head",
  });
});
