import { expect, test } from "@jest/globals";
import { gitIn, json, type CommitSpec } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
} from "../migrate.test.kit.js";

const source: readonly CommitSpec[] = [
  { files: libFiles, message: "one\n\nFixes #7\n" },
  { files: { "index.js": "2" }, message: "two", tags: ["v1.0.0"] },
];
const tree = (dir: string, name: string) =>
  gitIn(dir, "rev-parse", name).trim();

test("move keeps commits and their ids, and moves the files in one commit", async () => {
  await using pair = await buildPair(source);
  const argv = ["add", "../lib", "--history", "move", ...historyOnly];
  expect((await migrate(pair.target, argv)).code).toBe(0);
  expect(tree(pair.target, "HEAD^2^1")).toBe(tree(pair.source, "HEAD"));
  expect(tree(pair.target, "@acme/lib@1.0.0")).toBe(
    tree(pair.source, "v1.0.0"),
  );
  expect(
    gitIn(
      pair.target,
      "show",
      "--format=%s",
      "--name-status",
      "-M100%",
      "HEAD^2",
    ),
  ).toBe(
    "Move lib to packages/lib\n\nR100\tindex.js\tpackages/lib/index.js\nR100\tpackage.json\tpackages/lib/package.json\n",
  );
  expect((await migrate(pair.target, ["verify", "lib"])).code).toBe(0);
  gitIn(pair.source, "commit", "--quiet", "--allow-empty", "-m", "three");
  expect((await migrate(pair.target, ["sync", "lib"])).code).toBe(0);
  expect(tree(pair.target, "HEAD^2^2")).toBe(tree(pair.source, "HEAD"));
});

test("squash adds the files in one new commit", async () => {
  await using pair = await buildPair(source);
  const argv = ["add", "../lib", "--history", "squash", ...historyOnly];
  expect((await migrate(pair.target, argv)).code).toBe(0);
  expect(gitIn(pair.target, "rev-list", "--count", "HEAD^2")).toBe("1\n");
  expect(tree(pair.target, "HEAD:packages/lib")).toBe(
    tree(pair.source, "HEAD^{tree}"),
  );
  expect((await migrate(pair.target, ["verify", "lib"])).code).toBe(0);
});

test("--qualify-refs points references at the source, and --trailer names the original", async () => {
  await using pair = await buildPair(source);
  const plain = await migrate(pair.target, ["add", "../lib", "--dry-run"]);
  expect(plain.stdout).toContain(
    'warning: 1 message would close issues of the workspace when pushed to GitHub ("Fixes #12")',
  );
  await migrate(pair.target, [
    "add",
    "../lib",
    "--qualify-refs",
    "acme/lib",
    "--trailer",
    ...historyOnly,
  ]);
  const [first = ""] = gitIn(
    pair.source,
    "rev-list",
    "--reverse",
    "HEAD",
  ).split("\n");
  expect(gitIn(pair.target, "log", "-1", "--format=%B", "HEAD^2^")).toBe(
    `one\n\nFixes acme/lib#7\n\nMigrated-From: lib@${first}\n\n`,
  );
});

test("--only migrates the chosen folders with their history, and nothing else", async () => {
  await using pair = await buildPair([
    {
      files: {
        "package.json": json({ name: "mono", private: true }),
        "packages/a/package.json": json({ name: "@acme/a" }),
        "packages/b/package.json": json({ name: "@acme/b" }),
        "packages/c/package.json": json({ name: "@acme/c" }),
      },
      message: "init",
    },
    { files: { "packages/a/x": "1" }, message: "a only" },
    { files: { "packages/b/x": "1" }, message: "b only" },
    { files: { "packages/c/x": "1" }, message: "c only", tags: ["c@1.0.0"] },
  ]);
  const { code, stdout } = await migrate(pair.target, [
    "add",
    "../lib",
    "--only",
    "packages/a",
    "packages/b=libs/b",
    ...historyOnly,
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain("dropped      1 commit");
  expect(gitIn(pair.target, "ls-files")).toBe(
    ".gitignore\nlibs/b/package.json\nlibs/b/x\npackage.json\npackages/a/package.json\npackages/a/x\npackages/app/package.json\n",
  );
  expect(gitIn(pair.target, "log", "--format=%s", "HEAD^2")).toBe(
    "b only\na only\ninit\n",
  );
  expect((await migrate(pair.target, ["verify", "packages/a"])).code).toBe(0);
});

test("--branches and --tags all also migrate commits that the main branch lacks", async () => {
  await using pair = await buildPair([
    ...source,
    { branch: "feature/x", from: "main", files: { f: "1" } },
    { branch: "old", from: ":1", files: { o: "1" }, tags: ["v0.9.0"] },
  ]);
  const argv = [
    "add",
    "../lib",
    "--branches",
    "feature/*",
    "--tags",
    "all",
    ...historyOnly,
  ];
  expect((await migrate(pair.target, argv)).code).toBe(0);
  expect(
    gitIn(
      pair.target,
      "for-each-ref",
      "--format=%(refname)",
      "refs/heads",
      "refs/tags",
    ),
  ).toBe(
    "refs/heads/lib/feature/x\nrefs/heads/main\nrefs/tags/@acme/lib@0.9.0\nrefs/tags/@acme/lib@1.0.0\n",
  );
  expect(
    gitIn(pair.target, "ls-tree", "--name-only", "-r", "lib/feature/x"),
  ).toBe("packages/lib/f\npackages/lib/index.js\npackages/lib/package.json\n");
});

test("modes and symlinks survive core.fileMode=false", async () => {
  await using pair = await buildPair([
    {
      files: {
        ...libFiles,
        "run.sh": { executable: "#!/bin/sh\n" },
        link: { symlink: "index.js" },
      },
    },
  ]);
  gitIn(pair.target, "config", "core.fileMode", "false");
  expect(
    (await migrate(pair.target, ["add", "../lib", ...historyOnly])).code,
  ).toBe(0);
  expect(
    gitIn(pair.target, "ls-files", "--stage", "--", "packages/lib").replaceAll(
      / \w{40} 0\t/g,
      " ",
    ),
  ).toBe(
    "100644 packages/lib/index.js\n120000 packages/lib/link\n100644 packages/lib/package.json\n100755 packages/lib/run.sh\n",
  );
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("");
});
