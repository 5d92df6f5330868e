import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./situations/change-lines.test.kit.js";

const id = (dir: string, ref: string) => gitIn(dir, "rev-parse", ref).trim();

test("by default, the commits since the merge base and every state of the working tree count", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1", b: "1", c: "1", d: "1", e: "1" } },
    { branch: "feature", from: "main", files: { a: "2", b: "2", new: "1" } },
    { branch: "main", files: { "only-on-main": "1" } },
  ]);
  gitIn(dir.path, "checkout", "-q", "feature");
  await writeFiles(dir.path, { b: "1", c: "3", "folder/untracked": "1" });
  await rm(join(dir.path, "d"));
  await writeFile(join(dir.path, "e"), "2");
  gitIn(dir.path, "add", "e");
  const changeset = await changesetOf(dir.path);
  expect({ ...changeset, changes: lines(changeset) }).toEqual({
    base: { name: "main", commit: id(dir.path, "main~1") },
    head: { name: "HEAD", commit: id(dir.path, "feature") },
    source: { kind: "git", includesWorkingTree: true },
    changes: [
      "committed modified a",
      "committed modified b",
      "committed added new",
      "unstaged modified b", // The change was undone, but the file is listed.
      "unstaged modified c",
      "unstaged deleted d",
      "staged modified e",
      "untracked added folder/untracked",
    ],
    unknown: [],
  });
});

test("a change has its modes and ids", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "feature", from: "main", files: { a: { executable: "2" } } },
  ]);
  expect((await changesetOf(dir.path, { head: "feature" })).changes).toEqual([
    {
      path: "a",
      kind: "modified",
      origin: "committed",
      oldMode: "100644",
      newMode: "100755",
      oldId: id(dir.path, "main:a"),
      newId: id(dir.path, "feature:a"),
    },
  ]);
});

test("--committed, and any head except HEAD, exclude the working tree", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "feature", from: "main", files: { a: "2" } },
  ]);
  await writeFiles(dir.path, { untracked: "1" });
  const committed = await changesetOf(dir.path, { workingTree: false });
  expect(committed.source).toEqual({ kind: "git", includesWorkingTree: false });
  expect(lines(committed)).toEqual([]);
  const other = await changesetOf(dir.path, { head: "feature" });
  expect(other.source).toEqual({ kind: "git", includesWorkingTree: false });
  expect(lines(other)).toEqual(["committed modified a"]);
});

test("--base compares with the merge base, --since with the ref itself", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "feature", from: "main", files: { mine: "1" } },
    { branch: "main", files: { theirs: "1" }, tags: ["v1"] },
  ]);
  gitIn(dir.path, "checkout", "-q", "feature");
  const base = await changesetOf(dir.path, { base: "v1" });
  expect(base.base).toEqual({ name: "v1", commit: id(dir.path, "main~1") });
  expect(lines(base)).toEqual(["committed added mine"]);
  const since = await changesetOf(dir.path, { since: "v1" });
  expect(since.base).toEqual({ name: "v1", commit: id(dir.path, "main") });
  expect(lines(since)).toEqual([
    "committed added mine",
    "committed deleted theirs",
  ]);
});

test("after criss-cross merges, the changes are the union over all merge bases", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { root: "1" } },
    { branch: "left", from: "main", files: { l: "1" } },
    { branch: "right", from: "main", files: { r: "1" } },
    { branch: "left", merge: [":3"], files: { r: "1" } },
    { branch: "right", merge: [":2"], files: { l: "1", mine: "1" } },
  ]);
  const changeset = await changesetOf(dir.path, {
    base: "left",
    head: "right",
  });
  expect(lines(changeset).sort()).toEqual([
    "committed added l",
    "committed added mine",
    "committed added r",
  ]);
});
