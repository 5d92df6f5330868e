import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitTestEnv, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

/** The environment of a hook of `git commit -- a`: git sets its own index, which contains only `a`. */
const HOOK = { GIT_DIR: ".git", GIT_INDEX_FILE: ".git/next-index" };

test("in a hook, the index of the commit counts, also from a sub-folder", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { "p/a": "1", "p/b": "1" } }]);
  await writeFiles(dir.path, { "p/a": "2", "p/b": "2" });
  for (const args of [
    ["read-tree", "HEAD"],
    ["add", "p/a"],
  ])
    spawnSync("git", args, { cwd: dir.path, env: { ...gitTestEnv, ...HOOK } });
  const expected = ["staged modified p/a", "unstaged modified p/b"];
  for (const folder of ["", "p"]) {
    const changeset = await changesetOf(join(dir.path, folder), {}, HOOK);
    expect(lines(changeset)).toEqual(expected);
  }
});

test("GIT_WORK_TREE and GIT_DIR may be in different places", async () => {
  await using dir = await tempDir();
  await using files = await tempDir();
  buildHistory(dir.path, [{ files: { "p/a": "1" } }]);
  await writeFiles(files.path, { "p/a": "2", "p/new": "1" });
  const env = { GIT_DIR: join(dir.path, ".git"), GIT_WORK_TREE: files.path };
  expect(lines(await changesetOf(join(files.path, "p"), {}, env))).toEqual([
    "unstaged modified p/a",
    "untracked added p/new",
  ]);
});
