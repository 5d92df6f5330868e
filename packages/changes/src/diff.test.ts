import { expect, test } from "@jest/globals";
import { openRepository, ORIGIN_HEAD, RepositoryError } from "@skein/git";
import type { Git } from "@skein/git";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
  writeFiles,
} from "@skein/testing";
import type { CommitSpec } from "@skein/testing";
import { begin } from "./begin.js";
import { readGitChangeset } from "./git-changeset.js";
import { changesetOf, lines } from "./situations/change-lines.test.kit.js";

const CRISS_CROSS: readonly CommitSpec[] = [
  { branch: "right", files: { root: "1" } },
  { branch: "left", from: "right", files: { l: "1" } },
  { branch: "right", files: { r: "1" } },
  { branch: "left", merge: [":3"], files: { r: "1" } },
  { branch: "right", merge: [":2"], files: { l: "1", mine: "1" } },
];

/** Points the remote's HEAD to one of the branches, as in a clone. */
function follow(dir: string, branch: string): void {
  gitIn(dir, "update-ref", "refs/remotes/origin/trunk", branch);
  gitIn(
    dir,
    "symbolic-ref",
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/trunk",
  );
}

test("after criss-cross merges, the differences from every base count; a base that can't be compared is reported", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    ...CRISS_CROSS,
    { branch: "alone", files: { a: "1" } },
  ]);
  for (const base of ["alone", "nothing", "-x", "--output=x", "a\0b"])
    await expect(changesetOf(dir.path, { base })).rejects.toThrow(
      RepositoryError,
    );
  follow(dir.path, "left");
  expect(lines(await changesetOf(dir.path)).sort()).toEqual([
    "committed added l",
    "committed added mine",
    "committed added r",
  ]);
});

const REQUEST = {
  workingTree: true,
  deepen: "never",
  onMissingBase: "error",
} as const;

function clone(dir: string): void {
  buildHistory(dir, [
    {
      files: {
        "package.json": "{}",
        "yarn.lock": "",
        ".yarnrc.yml": "",
        a: "1",
      },
    },
    { branch: "work", from: "main", files: { b: "1" } },
  ]);
  follow(dir, "main");
  gitIn(dir, "checkout", "-q", "work");
}

test("the usual case takes one more round of git commands", async () => {
  await using dir = await tempDir();
  clone(dir.path);
  const repository = await openRepository({
    cwd: dir.path,
    env: gitTestEnv,
    mergeBase: ORIGIN_HEAD,
  });
  const counted = rounds(repository.git);
  const changeset = await readGitChangeset(
    { ...repository, git: counted.git },
    REQUEST,
  );
  expect(lines(changeset)).toEqual(["committed added b"]);
  expect(counted.asked).toEqual([["diff-tree", "status"]]);
});

test("no round follows commands that were started early, and the result is the same", async () => {
  await using dir = await tempDir();
  clone(dir.path);
  await writeFiles(dir.path, { "end\n": "1", c: "1" });
  gitIn(dir.path, "add", "end\n");
  gitIn(dir.path, "commit", "-q", "-m", "a file that is called like the end");
  const early = begin(
    { cwd: dir.path, env: gitTestEnv },
    { base: undefined, workingTree: true, compares: true },
  );
  try {
    if (!early) throw new Error("it is a plain clone");
    const repository = await early.opening;
    const counted = rounds(repository.git);
    const changeset = await readGitChangeset(
      { ...repository, git: counted.git },
      { ...REQUEST, early },
    );
    expect(changeset).toEqual(await readGitChangeset(repository, REQUEST));
    expect(lines(changeset)).toEqual([
      "committed added b",
      "committed added end\n",
      "untracked added c",
    ]);
    expect(counted.asked).toEqual([]);
  } finally {
    early?.close();
  }
});

/** Groups commands into rounds. A round's commands all start before the first of them ends. */
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
