import { readdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { gitIn, writeFiles } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
  shown,
  workspaceFiles,
} from "../migrate.test.kit.js";

/** Returns everything that a user sees of a repository: refs, files in the index, files on disk. */
async function stateOf({ target }: Pair) {
  const files = await readdir(target, { recursive: true });
  return {
    refs: gitIn(target, "for-each-ref"),
    head: gitIn(target, "symbolic-ref", "HEAD"),
    index: gitIn(target, "ls-files", "--stage"),
    status: gitIn(target, "status", "--porcelain"),
    files: files.filter((path) => !path.startsWith(".git/")).sort(),
  };
}

const source = [
  { files: { ...libFiles, "src/deep/a.js": "1\n" }, tags: ["v1.0.0"] },
  { branch: "next", from: ":1", files: { "src/b.js": "2\n" } },
];

test("undo restores the branch and the files, and removes tags, branches and the record", async () => {
  await using pair = await buildPair(source, [
    { files: workspaceFiles, tags: ["@acme/lib@0.9.0"] },
  ]);
  gitIn(pair.target, "checkout", "--quiet", "--force", "main");
  const before = await stateOf(pair);
  const added = await migrate(pair.target, [
    "add",
    "../lib",
    "--branches",
    "next",
    ...historyOnly,
  ]);
  expect(added.stdout).toContain("To go back: migrate-repo undo @acme/lib\n");
  expect((await stateOf(pair)).refs).toContain("refs/tags/@acme/lib@1.0.0");
  const { code, stdout } = await migrate(pair.target, ["undo", "lib"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Undone: the workspace is as it was before @acme/lib, at ${gitIn(pair.target, "rev-parse", "HEAD").slice(0, 12)}. \`yarn install\` removes what Yarn had installed for it; git's garbage collection removes the objects.\n`,
  });
  expect(await stateOf(pair)).toEqual(before);
});

test("an undo that fails at any step doesn't change the migration", async () => {
  await using pair = await buildPair(source);
  gitIn(pair.target, "checkout", "--quiet", "--force", "main");
  const before = await stateOf(pair);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  const migrated = await stateOf(pair);
  for (const step of ["prepare", "files", "refs", "index"]) {
    const failed = await migrate(pair.target, ["undo", "lib"], {
      checkpoint: (at) => {
        if (at === step) throw new Error("the disk is full");
      },
    });
    expect(failed.code).toBe(3);
    expect(await stateOf(pair)).toEqual(migrated);
  }
  const { stderr } = await migrate(pair.target, ["undo", "lib"]);
  expect(stderr).toBe("");
  expect(await stateOf(pair)).toEqual(before);
});

test("undo refuses once something was committed on top, and with changes in the working tree", async () => {
  await using pair = await buildPair(source);
  gitIn(pair.target, "checkout", "--quiet", "--force", "main");
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  await writeFiles(pair.target, { "packages/lib/index.js": "edited\n" });
  const dirty = await migrate(pair.target, ["undo", "lib"]);
  expect(dirty.stderr).toContain("packages/lib/index.js");
  gitIn(pair.target, "commit", "--quiet", "--all", "--message=mine");
  const state = await stateOf(pair);
  expect(await shown(pair.target, ["undo", "lib"])).toBe(
    "3 stderr: migrate-repo: @acme/lib cannot be undone: the branch has moved on since\nhint: undo the later commits first; or remove its files in a new commit (git rm -r packages/lib), which keeps its history\n",
  );
  expect(await stateOf(pair)).toEqual(state);
});
