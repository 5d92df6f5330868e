import { expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { json, tempDir, writeFiles } from "./temp-dir.js";
import { yarnIn, yarnPath, yarnRelease, yarnTestEnv } from "./yarn.js";

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

// `yarnIn` prints its own version without loading Yarn.
test("prints the same version as Yarn's release, also if a project names another Yarn", async () => {
  await using dir = await tempDir();
  const other = `require("node:fs").writeSync(1, "another Yarn\\n");\n`;
  await writeFiles(dir.path, {
    "other.cjs": other,
    ".yarnrc.yml": "nodeLinker: node-modules\n",
    "own/.yarnrc.yml": `nodeLinker: node-modules\nyarnPath: ${yarnPath}\n`,
    "named/.yarnrc.yml": "yarnPath: ../other.cjs\n",
    "named/below/package.json": "{}",
    "quoted/.yarnrc.yml": `"yarnPath": "${join(dir.path, "other.cjs")}"\n`,
  });
  const reported = (folder: string, file: string) =>
    promisify(execFile)(process.execPath, [file, "--version"], {
      cwd: join(dir.path, folder),
      env: yarnTestEnv(),
    });
  const seen: Record<string, { stdout: string; stderr: string }> = {};
  for (const folder of [".", "own", "named", "named/below", "quoted"])
    seen[folder] = await reported(folder, yarnPath);
  const own = { stdout: "4.18.1\n", stderr: "" };
  const another = { stdout: "another Yarn\n", stderr: "" };
  expect(seen).toEqual({
    ".": own,
    own,
    named: another,
    "named/below": another,
    quoted: another,
  });
  for (const folder of [".", "named"])
    expect(await reported(folder, yarnRelease)).toEqual(seen[folder]);
});
