import { describe, expect, test } from "@jest/globals";
import { RepositoryError, type RepositoryProblem } from "@skein/git";
import { renderFailure } from "@skein/reporting";
import { repositoryFailure } from "./problems.js";

const cwd = "/home/ada/shop";
const unknown = { command: undefined, message: undefined, suggestions: [] };

describe("each problem has its message", () => {
  test.each<[RepositoryProblem, number, string]>([
    [
      { kind: "git-not-installed" },
      3,
      "git was not found\nhint: install git, or put it on the PATH\n",
    ],
    [{ kind: "no-such-folder", cwd }, 2, "there is no folder /home/ada/shop\n"],
    [
      {
        kind: "not-a-repository",
        cwd,
        message:
          "fatal: not a git repository (or any of the parent directories): .git",
      },
      3,
      "/home/ada/shop is not in a git repository\nhint: run it in one, or pass the changed files with --files-from\n",
    ],
    [
      {
        kind: "not-a-repository",
        cwd,
        message: "fatal: invalid gitfile format: .git",
      },
      3,
      "git cannot read the repository of /home/ada/shop: fatal: invalid gitfile format: .git\nhint: run it in one, or pass the changed files with --files-from\n",
    ],
    [
      {
        kind: "dubious-ownership",
        cwd,
        message:
          "fatal: detected dubious ownership in repository at '/home/ada/shop'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /home/ada/shop",
      },
      3,
      "git refuses the repository of /home/ada/shop, which belongs to another user\nhint: git config --global --add safe.directory /home/ada/shop\n",
    ],
    [
      { kind: "unknown-ref", ref: "no\nsuch", ...unknown },
      2,
      'no commit is called "no\\nsuch" here\n',
    ],
    [
      {
        kind: "unknown-ref",
        ref: "develop",
        suggestions: ["origin/develop"],
        command: undefined,
        message: undefined,
      },
      2,
      'no commit is called "develop" here\nhint: did you mean origin/develop?\n',
    ],
    [
      {
        kind: "unknown-ref",
        ref: "origin/main",
        suggestions: [],
        command: "git fetch origin main",
        message: "fatal: no network",
      },
      2,
      'no commit is called "origin/main" here; fetching it failed: fatal: no network\nhint: fetch it with: git fetch origin main\n',
    ],
    [
      { kind: "no-default-branch", tried: ["origin/main", "main"] },
      3,
      "there is no default branch to compare with; tried origin/main, main\nhint: set it with --base REF or in the settings, or record it in the clone: git remote set-head origin --auto\n",
    ],
    [
      {
        kind: "no-merge-base",
        base: "origin/main",
        head: "HEAD",
        why: "unrelated",
        command: undefined,
        message: undefined,
      },
      3,
      "origin/main and HEAD have no history in common\nhint: compare with the commit itself: --since REF; or select everything: --fallback all\n",
    ],
    [
      {
        kind: "no-merge-base",
        base: "origin/main",
        head: "HEAD",
        why: "shallow",
        command: "git fetch --unshallow origin",
        message: undefined,
      },
      3,
      "the clone is shallow: its history is too short to determine the merge base of origin/main and HEAD\nhint: fetch it with: git fetch --unshallow origin\n",
    ],
  ])("%j", (problem, exitCode, words) => {
    const failure = repositoryFailure(new RepositoryError(problem));
    expect(failure.exitCode).toBe(exitCode);
    expect(renderFailure("affected", failure)).toBe(`affected: ${words}`);
  });
});
