import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

const FILES = { "in/a": "1", "out/b": "1", "out/c": "1" };

test("what a sparse checkout leaves out is unchanged; what is there nevertheless is compared", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: FILES },
    { branch: "work", from: "main", files: { "out/b": "2" } },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  gitIn(dir.path, "sparse-checkout", "set", "in");
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified out/b",
  ]);
  await writeFiles(dir.path, { "out/c": "3" });
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified out/b",
    "unstaged modified out/c",
  ]);
});

test("a file marked skip-worktree by hand: git looks if it is there in a sparse checkout only", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: FILES }]);
  gitIn(dir.path, "update-index", "--skip-worktree", "out/c");
  await writeFiles(dir.path, { "out/c": "3" });
  // This is wrong for us, but the user has configured git so. The documentation of readGitChangeset mentions it.
  expect(lines(await changesetOf(dir.path))).toEqual([]);
});

test("a file marked assume-unchanged is not looked at", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: FILES }]);
  gitIn(dir.path, "update-index", "--assume-unchanged", "in/a");
  await writeFiles(dir.path, { "in/a": "3" });
  // This is wrong for us, but the user has configured git so. The documentation of readGitChangeset mentions it.
  expect(lines(await changesetOf(dir.path))).toEqual([]);
});
