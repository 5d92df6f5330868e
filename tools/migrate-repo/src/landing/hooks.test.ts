import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  FINE,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
} from "../migrate.test.kit.js";

/** All hooks that git runs in a working tree (githooks(5)). */
const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "prepare-commit-msg",
  "reference-transaction",
];

/** Makes each hook write its name to a file and fail. @returns the path of that file */
async function addHooks(pair: Pair, folder: string): Promise<string> {
  const log = join(pair.dir, "ran");
  await mkdir(folder, { recursive: true });
  await writeFile(log, "");
  for (const hook of HOOKS) {
    const file = join(folder, hook);
    await writeFile(file, `#!/bin/sh\necho ${hook} >> '${log}'\nexit 1\n`);
    await chmod(file, 0o755);
  }
  gitIn(
    pair.target,
    ...["config", "core.fsmonitor", join(folder, "fsmonitor-watchman")],
  );
  return log;
}

const add = ["add", "../lib", ...historyOnly];
const named =
  "the workspace's hooks (pre-commit, prepare-commit-msg, commit-msg, post-commit, pre-merge-commit and 2 more) are not run";

test("no hook of the workspace runs in a landing, an undo, or a merge that is aborted or committed", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const log = await addHooks(pair, join(pair.target, ".git/hooks"));
  const added = await migrate(pair.target, add);
  expect(added).toMatchObject(FINE);
  expect(added.stdout).toContain(named);
  expect((await migrate(pair.target, ["undo", "lib"])).code).toBe(0);
  await migrate(pair.target, add);
  const path = "packages/lib/index.js";
  const quiet = [
    ...["-c", "core.hooksPath=/dev/null"],
    ...["-c", "core.fsmonitor=false"],
  ];
  await writeFile(join(pair.target, path), "ours\n");
  gitIn(pair.target, ...quiet, "commit", "--quiet", "--all", "-m", "ours");
  await writeFile(join(pair.source, "index.js"), "theirs\n");
  gitIn(pair.source, "commit", "--quiet", "--all", "-m", "theirs");
  expect((await migrate(pair.target, ["sync", "lib"])).code).toBe(1);
  expect((await migrate(pair.target, ["abort"])).code).toBe(0);
  expect((await migrate(pair.target, ["sync", "lib"])).code).toBe(1);
  await writeFile(join(pair.target, path), "both\n");
  gitIn(pair.target, ...quiet, "add", path);
  expect((await migrate(pair.target, ["continue"])).code).toBe(0);
  expect(await readFile(log, "utf8")).toBe("");
});

test("hooks in a configured folder are reported and don't run", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const log = await addHooks(pair, join(pair.target, "my hooks"));
  gitIn(pair.target, "config", "core.hooksPath", "my hooks");
  const added = await migrate(pair.target, add);
  expect(added).toMatchObject(FINE);
  expect(added.stdout).toContain(named);
  expect(await readFile(log, "utf8")).toBe("");
});
