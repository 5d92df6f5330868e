import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

test("migrated branches follow the source's; a branch that someone works on, or that the source rewrote, doesn't change", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    ...["on", "own", "again", "still"].map((branch) => ({
      branch,
      from: "main",
      files: { [branch]: "1" },
    })),
  ]);
  const { source, target } = pair;
  await migrate(target, ["add", "../lib", "--branches", "*", ...historyOnly]);
  const commit = async (dir: string, branch: string, file: string) => {
    gitIn(dir, "switch", "--quiet", branch);
    await writeFile(join(dir, file), "2");
    gitIn(dir, "add", "--all");
    gitIn(dir, "commit", "--quiet", "--message", `more of ${branch}`);
    gitIn(dir, "switch", "--quiet", "main");
  };
  await commit(source, "on", "on");
  await commit(source, "own", "own");
  await commit(target, "lib/own", "packages/lib/mine");
  gitIn(source, "branch", "--force", "again", "main");
  await commit(source, "again", "again");
  gitIn(source, "branch", "new", "on");
  const subjects = () =>
    gitIn(
      target,
      "for-each-ref",
      "--format=%(refname:short) %(subject)",
      "refs/heads/lib",
    );
  const tip = gitIn(target, "rev-parse", "HEAD").slice(0, 12);
  const left = [
    "unchanged: lib/own: it has its own commits here.",
    "unchanged: lib/again: it was rewritten in the source. To get the current version, delete it and sync again.",
  ];
  expect(await migrate(target, ["sync", "lib"])).toEqual({
    code: 0,
    stdout: [
      "@acme/lib: 1 new commit and 0 new tags of main.",
      "branch lib/new: new",
      "branch lib/on: moved on",
      ...left,
      `Synced @acme/lib at ${tip}: every new commit has exactly the files of its original.`,
      "",
    ].join("\n"),
    stderr: "",
  });
  expect(subjects()).toBe(
    "lib/again commit 4\nlib/new more of on\nlib/on more of on\nlib/own more of lib/own\nlib/still commit 5\n",
  );
  gitIn(target, "branch", "--quiet", "-D", "lib/again");
  expect((await migrate(target, ["sync", "lib"])).stdout).toContain(
    "\nbranch lib/again: new\n",
  );
  expect(await shown(target, ["sync", "lib"])).toBe(
    `0 stdout: @acme/lib is up to date with its source.\n${left[0] ?? ""}\n`,
  );
  expect(gitIn(target, "log", "--format=%s", "lib/again")).toBe(
    "more of again\ncommit 1\n",
  );
  expect((await migrate(target, ["verify", "lib"])).code).toBe(0);
});

test("migrated commits that were deleted and pruned are migrated again when the source merges them", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    { branch: "f", from: "main", files: { f: "1" } },
  ]);
  const { source, target } = pair;
  await migrate(target, ["add", "../lib", "--branches", "f", ...historyOnly]);
  gitIn(target, "branch", "--quiet", "-D", "lib/f");
  gitIn(target, "reflog", "expire", "--expire=all", "--all");
  gitIn(target, "gc", "--quiet", "--prune=now");
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 0,
    stdout: [
      "@acme/lib: nothing is missing. 1 commit with exactly the files of their originals, 0 tags, log and blame of 2 files as in the source.",
      "The branch lib/f was deleted: its commits no longer exist, but their originals do.",
      "As recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.",
      "",
    ].join("\n"),
    stderr: "",
  });
  gitIn(source, "merge", "--quiet", "--no-ff", "-m", "Merge f", "f");
  expect((await migrate(target, ["sync", "lib"])).code).toBe(0);
  expect(gitIn(target, "fsck", "--full")).toBe("");
  expect(gitIn(target, "log", "--format=%s", "HEAD^2")).toBe(
    "Merge f\ncommit 2\ncommit 1\n",
  );
  expect((await migrate(target, ["verify", "lib"])).code).toBe(0);
});
