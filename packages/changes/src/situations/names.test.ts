import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

const ODD = [
  " leading and trailing ",
  '"quotes"',
  "'single'",
  "-x",
  "--all",
  "\\303\\251",
  "\x01control\x7f",
  ":(top)*",
  "*",
  "caf\u00e9",
  "cafe\u0301",
  "new\nline",
  "tab\tbed",
  "日本語",
  "💥",
  "back\\slash",
];

test("any name is listed exactly: committed, staged, changed and new", async () => {
  await using dir = await tempDir();
  const in_ = (folder: string, content: string) =>
    Object.fromEntries(ODD.map((name) => [`${folder}/${name}`, content]));
  buildHistory(dir.path, [
    { files: { ...in_("changed", "1"), ...in_("staged", "1") } },
    { branch: "work", from: "main", files: in_("committed", "1") },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  await writeFiles(dir.path, in_("staged", "2"));
  gitIn(dir.path, "add", "staged");
  await writeFiles(dir.path, { ...in_("changed", "2"), ...in_("new", "1") });
  expect(lines(await changesetOf(dir.path)).sort()).toEqual(
    ODD.flatMap((name) => [
      `committed added committed/${name}`,
      `staged modified staged/${name}`,
      `unstaged modified changed/${name}`,
      `untracked added new/${name}`,
    ]).sort(),
  );
});

test("a path of 4 KB is listed", async () => {
  await using dir = await tempDir();
  const path = `${"d".repeat(255)}/`.repeat(15) + "f".repeat(255);
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  gitIn(dir.path, "checkout", "-q", "-b", "work");
  const blob = gitIn(dir.path, "rev-parse", "HEAD:a").trim();
  gitIn(
    dir.path,
    "update-index",
    "--add",
    "--cacheinfo",
    `100644,${blob},${path}`,
  );
  gitIn(dir.path, "commit", "-q", "-m", "deep");
  expect(lines(await changesetOf(dir.path, { workingTree: false }))).toEqual([
    `committed added ${path}`,
  ]);
});

test("a name that differs only in case is another name", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { "src/Button.ts": "1", "src/Other.ts": "1" } },
    {
      branch: "work",
      from: "main",
      files: { "src/button.ts": "1" },
      remove: ["src/Button.ts"],
    },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  await rename(join(dir.path, "src/Other.ts"), join(dir.path, "src/other.ts"));
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed deleted src/Button.ts",
    "committed added src/button.ts",
    "unstaged deleted src/Other.ts",
    "untracked added src/other.ts",
  ]);
});

test("a file that becomes a symlink, a folder or an executable has changed", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: { link: "1", folder: "1", run: "1", target: { symlink: "link" } },
    },
    {
      branch: "work",
      from: "main",
      files: { target: { symlink: "folder" }, run: { executable: "1" } },
    },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  for (const name of ["link", "folder"]) await rm(join(dir.path, name));
  await symlink("target", join(dir.path, "link"));
  await writeFiles(dir.path, { "folder/a": "1" });
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified run",
    "committed modified target",
    "unstaged deleted folder",
    "unstaged type-changed link",
    "untracked added folder/a",
  ]);
});

test("a move is a deletion and an addition, also of a folder, and in the working tree", async () => {
  await using dir = await tempDir();
  const content = "the same\n".repeat(50);
  buildHistory(dir.path, [
    { files: { "a/x": content, "a/y": content } },
    {
      branch: "work",
      from: "main",
      files: { "b/x": content },
      remove: ["a/x"],
    },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  gitIn(dir.path, "mv", "a/y", "b/y");
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed deleted a/x",
    "committed added b/x",
    "staged deleted a/y",
    "staged added b/y",
  ]);
});
