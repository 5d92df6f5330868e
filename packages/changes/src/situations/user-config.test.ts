import { readdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, afterAll, describe, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  suiteDir,
  tempDir,
  writeFiles,
} from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

/** A move, a copy, an unusual name, and each state of the working tree, so that every setting could hide something. */
const EXPECTED = [
  "committed added copied",
  "committed deleted moved-from",
  "committed added moved-to",
  "committed added é",
  "unstaged modified folder/kept",
  "staged deleted staged-from",
  "staged added staged-to",
  "untracked added folder/new/é",
];

const dir = await suiteDir(afterAll);
beforeAll(async () => {
  const same = "the same\n".repeat(20);
  buildHistory(dir, [
    { files: { "moved-from": same, "staged-from": same, "folder/kept": same } },
    {
      branch: "work",
      from: "main",
      files: { "moved-to": same, copied: same, é: "1" },
      remove: ["moved-from"],
    },
  ]);
  gitIn(dir, "checkout", "-q", "work");
  gitIn(dir, "mv", "staged-from", "staged-to");
  await writeFiles(dir, { "folder/kept": "2", "folder/new/é": "1" });
  await writeFiles(dir, {
    ".git/order": "z*\n",
    // The hook reports that nothing has changed, and leaves a file as evidence that it ran.
    ".git/lie": { executable: "#!/bin/sh\ntouch ran\nprintf 'token\\0'\n" },
    ".git/touch": { executable: "#!/bin/sh\ntouch ran\n" },
  });
});

const settings: readonly (readonly [string, string])[] = [
  ["diff.renames", "copies"],
  ["status.renames", "copies"],
  ["status.showUntrackedFiles", "no"],
  ["status.short", "true"],
  ["status.branch", "true"],
  ["status.showStash", "true"],
  ["status.relativePaths", "true"],
  ["status.submoduleSummary", "true"],
  ["diff.relative", "true"],
  ["diff.noprefix", "true"],
  ["diff.mnemonicPrefix", "true"],
  ["diff.external", ".git/touch"],
  ["diff.orderFile", ".git/order"],
  ["diff.ignoreSubmodules", "all"],
  ["diff.indentHeuristic", "false"],
  ["core.quotePath", "true"],
  ["core.abbrev", "4"],
  ["core.fsmonitor", ".git/lie"],
  ["core.pager", ".git/touch"],
  ["color.ui", "always"],
  ["column.ui", "always"],
  ["log.showSignature", "true"],
  ["core.splitIndex", "true"],
  ["core.untrackedCache", "true"],
];

describe("no setting of the user hides a change", () => {
  test.each(settings)("%s = %s", async (key, value) => {
    const env = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: key,
      GIT_CONFIG_VALUE_0: value,
    };
    const changeset = await changesetOf(join(dir, "folder"), {}, env);
    expect(lines(changeset)).toEqual(EXPECTED);
    expect(await readdir(dir)).not.toContain("ran");
  });
});

// A program can set a file's size and time of modification, but not its inode and the time of its last change.
test("core.checkStat = minimal doesn't hide a file with the same size and time", async () => {
  await using own = await tempDir();
  const file = join(own.path, "file");
  buildHistory(own.path, [{ files: { file: "1" } }]);
  gitIn(own.path, "config", "core.checkStat", "minimal");
  await utimes(file, 1e9, 1e9);
  gitIn(own.path, "update-index", "--refresh");
  await writeFile(`${file}.new`, "2");
  await utimes(`${file}.new`, 1e9, 1e9);
  await rename(`${file}.new`, file);
  expect(lines(await changesetOf(own.path))).toEqual([
    "unstaged modified file",
  ]);
});

test("no variable of the environment hides a change", async () => {
  const changeset = await changesetOf(
    dir,
    {},
    {
      GIT_EXTERNAL_DIFF: join(dir, ".git/touch"),
      GIT_PAGER: join(dir, ".git/touch"),
      GIT_DIFF_OPTS: "--unified=0",
      GIT_ICASE_PATHSPECS: "1",
      GIT_TRACE: "1",
      LANG: "de_DE.UTF-8",
    },
  );
  expect(lines(changeset)).toEqual(EXPECTED);
  expect(await readdir(dir)).not.toContain("ran");
});

test("reading doesn't change the repository", async () => {
  const index = () => gitIn(dir, "hash-object", ".git/index");
  const before = index();
  await changesetOf(dir);
  expect(index()).toBe(before);
});
