import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

test("changes are listed during a merge with conflicts", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { both: "1", "theirs-deleted": "1", "ours-deleted": "1" } },
    {
      branch: "work",
      from: "main",
      files: { both: "2", "theirs-deleted": "2", "both-added": "2" },
      remove: ["ours-deleted"],
    },
    {
      branch: "main",
      files: {
        both: "3",
        "ours-deleted": "3",
        "both-added": "3",
        "only-theirs": "3",
      },
      remove: ["theirs-deleted"],
    },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  const merge = spawnSync("git", ["merge", "main"], {
    cwd: dir.path,
    env: gitTestEnv,
  });
  expect(merge.status).toBe(1);
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified both",
    "committed added both-added",
    "committed deleted ours-deleted",
    "committed modified theirs-deleted",
    "staged added only-theirs",
    "unstaged unmerged both",
    "unstaged unmerged both-added",
    "unstaged unmerged ours-deleted",
    "unstaged unmerged theirs-deleted",
  ]);
});
