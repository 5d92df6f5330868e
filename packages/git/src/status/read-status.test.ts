import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { openGit } from "../git.js";
import { readStatus } from "./read-status.js";
import { parseStatusV2, STATUS_ARGS } from "./status-v2.js";

test("in a large working tree, two processes report the same as one", async () => {
  await using dir = await tempDir();
  const many = Array.from({ length: 8_000 }, (_, i) => [
    `packages/p${i % 50}/${i}`,
    "1",
  ]);
  buildHistory(dir.path, [
    {
      files: {
        ...(Object.fromEntries(many) as Record<string, string>),
        ".gitignore": "*.log\n",
        "packages/p1/.gitignore": "!kept.log\n",
      },
    },
  ]);
  await writeFile(join(dir.path, "packages/p0/0"), "2");
  await rm(join(dir.path, "packages/p1/1"));
  for (const path of ["a.log", "packages/p1/kept.log", "new\nline", "é"])
    await writeFile(join(dir.path, path), "1");
  await mkdir(join(dir.path, "folder/inner"), { recursive: true });
  await writeFile(join(dir.path, "folder/inner/x"), "1");
  await mkdir(join(dir.path, "another"));
  gitIn(join(dir.path, "another"), "init", "-q");
  await writeFile(join(dir.path, "staged"), "1");
  gitIn(dir.path, "add", "staged");
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const asked: string[] = [];
  const status = await readStatus(
    {
      ...git,
      run: (args, options) => {
        asked.push(args[0] ?? "");
        return git.run(args, options);
      },
    },
    { gitDir: join(dir.path, ".git"), commonDir: join(dir.path, ".git") },
  );
  expect(asked).toEqual(["ls-files", "status"]);
  const { stdout } = await git.run(STATUS_ARGS);
  expect(status).toEqual(parseStatusV2(stdout));
  expect(status.entries.map(({ path }) => path)).toContain(
    "packages/p1/kept.log",
  );
});

test("files that are staged while git reads aren't lost", async () => {
  await using dir = await tempDir();
  const many = Array.from({ length: 8_000 }, (_, i) => [`f${i}`, "1"]);
  buildHistory(dir.path, [
    { files: Object.fromEntries(many) as Record<string, string> },
  ]);
  await writeFile(join(dir.path, "new"), "1");
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const status = await readStatus(
    {
      ...git,
      run: async (args, options) => {
        // The file is staged between the two commands: `status` has not seen it staged, and `ls-files` sees it as
        // tracked.
        if (args[0] !== "ls-files") return git.run(args, options);
        await new Promise((resolve) => setTimeout(resolve, 300));
        gitIn(dir.path, "add", "new");
        return git.run(args, options);
      },
    },
    { gitDir: join(dir.path, ".git"), commonDir: join(dir.path, ".git") },
  );
  expect(status.entries).toMatchObject([{ path: "new", origin: "staged" }]);
});

test("an early failure of git is reported, although nothing waits for it at first", async () => {
  await using dir = await tempDir();
  const gitDir = join(dir.path, ".git");
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  await expect(readStatus(git, { gitDir, commonDir: gitDir })).rejects.toThrow(
    "(128): fatal: not a git repository",
  );
});
