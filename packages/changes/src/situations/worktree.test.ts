import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

test("a linked worktree has its own HEAD and its own changes", async () => {
  await using dir = await tempDir();
  const main = join(dir.path, "main");
  const linked = join(dir.path, "linked");
  await mkdir(main);
  buildHistory(main, [
    { files: { a: "1" } },
    { branch: "work", from: "main", files: { b: "1" } },
  ]);
  gitIn(main, "worktree", "add", "-q", linked, "work");
  await writeFiles(main, { "in-main": "1" });
  await writeFiles(linked, { "in-linked": "1" });
  expect(lines(await changesetOf(linked))).toEqual([
    "committed added b",
    "untracked added in-linked",
  ]);
  expect(lines(await changesetOf(main))).toEqual(["untracked added in-main"]);
});

test("a bare repository has only commits to compare", async () => {
  await using dir = await tempDir();
  const source = join(dir.path, "source");
  const bare = join(dir.path, "bare.git");
  await mkdir(source);
  buildHistory(source, [
    { files: { a: "1" } },
    { branch: "work", from: "main", files: { b: "1" } },
  ]);
  gitIn(dir.path, "clone", "-q", "--bare", source, bare);
  const changeset = await changesetOf(bare, { head: "work" });
  expect(changeset.source).toEqual({ kind: "git", includesWorkingTree: false });
  expect(lines(changeset)).toEqual(["committed added b"]);
  expect(lines(await changesetOf(bare))).toEqual([]);
});
