import { expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { json, tempDir, writeFiles } from "./temp-dir.js";
import { yarnIn } from "./yarn.js";

test("installs a workspace and runs one of its scripts with the pinned Yarn", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    "package.json": json({ name: "root", private: true, workspaces: ["a"] }),
    "a/package.json": json({ name: "a", scripts: { hello: "echo hello" } }),
    "yarn.lock": "",
    ".yarnrc.yml": "nodeLinker: node-modules\n",
  });
  expect(await yarnIn(dir.path, "--version")).toBe("4.18.1\n");
  await yarnIn(dir.path, "install");
  expect(await readFile(join(dir.path, "yarn.lock"), "utf8")).toContain(
    '"a@workspace:a"',
  );
  expect(await yarnIn(join(dir.path, "a"), "hello")).toBe("hello\n");
  await expect(yarnIn(dir.path, "nothing-of-this-name")).rejects.toThrow(
    /Couldn't find a script named "nothing-of-this-name"/,
  );
});
