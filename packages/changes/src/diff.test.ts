import { expect, test } from "@jest/globals";
import { openRepository } from "@skein/git";
import type { Git } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import type { CommitSpec } from "@skein/testing";
import { guessDiff } from "./diff.js";
import { readGitChangeset } from "./git-changeset.js";
import { changesetOf, lines } from "./situations/change-lines.test.kit.js";

const CRISS_CROSS: readonly CommitSpec[] = [
  { branch: "right", files: { root: "1" } },
  { branch: "left", from: "right", files: { l: "1" } },
  { branch: "right", files: { r: "1" } },
  { branch: "left", merge: [":3"], files: { r: "1" } },
  { branch: "right", merge: [":2"], files: { l: "1", mine: "1" } },
];

/** The remote's HEAD stands for one of the branches, as in a clone. */
function follow(dir: string, branch: string): void {
  gitIn(dir, "update-ref", "refs/remotes/origin/trunk", branch);
  gitIn(
    dir,
    "symbolic-ref",
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/trunk",
  );
}

test("where the guess has no answer, or several, it is found out", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    ...CRISS_CROSS,
    { branch: "alone", files: { a: "1" } },
  ]);
  const repository = await openRepository({ cwd: dir.path, env: gitTestEnv });
  const { head = "" } = repository;
  for (const base of ["left", "alone", "nothing", "-x", "--output=x", "a\0b"])
    expect([base, await guessDiff(repository, base, head)]).toEqual([
      base,
      undefined,
    ]);
  follow(dir.path, "left");
  expect(lines(await changesetOf(dir.path)).sort()).toEqual([
    "committed added l",
    "committed added mine",
    "committed added r",
  ]);
});

test("in the usual case all questions are asked at once", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "work", from: "main", files: { b: "1" } },
  ]);
  follow(dir.path, "main");
  gitIn(dir.path, "checkout", "-q", "work");
  const repository = await openRepository({ cwd: dir.path, env: gitTestEnv });
  const counted = rounds(repository.git);
  const changeset = await readGitChangeset(
    { ...repository, git: counted.git },
    { workingTree: true, deepen: "never", onMissingBase: "error" },
  );
  expect(lines(changeset)).toEqual(["committed added b"]);
  expect(counted.asked).toEqual([
    ["diff-tree", "for-each-ref", "merge-base", "status"],
  ]);
});

/** Groups commands into rounds: those that were started before any of the round's had ended. */
function rounds(git: Git): { readonly git: Git; readonly asked: string[][] } {
  const asked: string[][] = [];
  let ended = true;
  return {
    asked,
    git: {
      ...git,
      async run(args, options) {
        if (ended) asked.push([]);
        ended = false;
        asked.at(-1)?.push(args[0] ?? "");
        asked.at(-1)?.sort();
        try {
          return await git.run(args, options);
        } finally {
          ended = true;
        }
      },
    },
  };
}
