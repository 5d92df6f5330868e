import { expect, test } from "@jest/globals";
import { buildBigWorkspace } from "./big-workspace.js";
import { gitIn } from "./history.js";
import { tempDir } from "./temp-dir.js";
import { yarnIn } from "./yarn.js";

test("the generated yarn.lock is the same as Yarn's", async () => {
  await using dir = await tempDir();
  buildBigWorkspace(dir.path, { packages: 40 });
  expect(gitIn(dir.path, "ls-files").split("\n").length - 1).toBe(41 * 10 + 6);
  await yarnIn(dir.path, "install", "--immutable", "--mode=skip-build");
  expect(gitIn(dir.path, "status", "--porcelain")).toBe("");
});
