import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { RepositoryError } from "./errors.js";
import { openRepository } from "./repository.js";
import { shellWord } from "./shell-word.js";

const HISTORY = [{ files: { "packages/a/x": "1" } }];

/** Returns the facts without the port. */
async function facts(cwd: string, env: Record<string, string> = {}) {
  const { git, ...rest } = await openRepository({
    cwd,
    env: { ...gitTestEnv, ...env },
  });
  return { ...rest, runsIn: git.cwd };
}

async function problem(
  cwd: string,
  env: Record<string, string> = {},
): Promise<unknown> {
  const error: unknown = await facts(cwd, env).catch((e: unknown) => e);
  if (error instanceof RepositoryError) return error.problem;
  throw new Error("it opened", { cause: error });
}

test("a repository is found from a sub-folder", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, HISTORY);
  expect(await facts(join(dir.path, "packages/a"))).toEqual({
    runsIn: dir.path,
    topLevel: dir.path,
    prefix: "packages/a/",
    gitDir: join(dir.path, ".git"),
    commonDir: join(dir.path, ".git"),
    isShallow: false,
    objectFormat: "sha1",
    head: gitIn(dir.path, "rev-parse", "HEAD").trim(),
    known: {
      tree: gitIn(dir.path, "rev-parse", "HEAD:packages/a").trim(),
      blobs: new Map(),
    },
  });
});

test("a linked worktree is found, although its folder's name has a newline", async () => {
  await using dir = await tempDir();
  const main = join(dir.path, "main");
  const linked = join(dir.path, "lin\nked");
  await mkdir(main);
  buildHistory(main, HISTORY);
  gitIn(main, "worktree", "add", "-q", "--track", "-b", "side", linked, "main");
  expect(await facts(linked)).toMatchObject({
    topLevel: linked,
    prefix: "",
    gitDir: join(main, ".git/worktrees/lin-ked"),
    commonDir: join(main, ".git"),
    head: gitIn(main, "rev-parse", "HEAD").trim(),
  });
});

test("a bare repository has no working tree", async () => {
  await using dir = await tempDir();
  const source = join(dir.path, "source");
  const bare = join(dir.path, "bare.git");
  await mkdir(source);
  buildHistory(source, HISTORY);
  gitIn(dir.path, "clone", "-q", "--bare", source, bare);
  expect(await facts(bare)).toMatchObject({
    runsIn: bare,
    topLevel: undefined,
    gitDir: bare,
    head: gitIn(source, "rev-parse", "HEAD").trim(),
  });
});

test("a repository with SHA-256 is opened before its first commit", async () => {
  await using dir = await tempDir();
  gitIn(dir.path, "init", "-q", "--object-format=sha256");
  expect(await facts(dir.path)).toMatchObject({
    topLevel: dir.path,
    objectFormat: "sha256",
    head: undefined,
  });
});

test("in a hook, the root isn't the sub-folder of the process", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, HISTORY);
  const folder = join(dir.path, "packages/a");
  for (const GIT_DIR of [".git", join(dir.path, ".git")]) {
    expect(await facts(folder, { GIT_DIR })).toMatchObject({
      topLevel: dir.path,
      prefix: "packages/a/",
    });
  }
});

test("a repository that GIT_DIR names is used", async () => {
  await using dir = await tempDir();
  await using other = await tempDir();
  buildHistory(dir.path, HISTORY);
  buildHistory(other.path, HISTORY);
  const GIT_DIR = join(other.path, ".git");
  expect(await facts(dir.path, { GIT_DIR })).toMatchObject({
    topLevel: dir.path,
    gitDir: GIT_DIR,
  });
});

test("a folder outside of a repository is refused", async () => {
  await using dir = await tempDir();
  // If temporary folders are on a separate file system, git prints another message.
  const env = { GIT_DISCOVERY_ACROSS_FILESYSTEM: "1" };
  expect(await problem(dir.path, env)).toEqual({
    kind: "not-a-repository",
    cwd: dir.path,
    message:
      "fatal: not a git repository (or any of the parent directories): .git",
  });
});

test("another user's repository is refused with git's own advice", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, HISTORY);
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
  expect(await problem(dir.path, env)).toEqual({
    kind: "dubious-ownership",
    cwd: dir.path,
    message: expect.stringContaining(
      `git config --global --add safe.directory ${shellWord(dir.path)}`,
    ),
  });
});

test("a missing git and a missing folder have different errors", async () => {
  await using dir = await tempDir();
  const cwd = join(dir.path, "gone");
  expect(await problem(dir.path, { PATH: dir.path })).toEqual({
    kind: "git-not-installed",
  });
  expect(await problem(cwd)).toEqual({ kind: "no-such-folder", cwd });
});

test("an aborted call fails with the signal's reason", async () => {
  await using dir = await tempDir();
  const reason = new Error("Ctrl-C");
  const signal = AbortSignal.abort(reason);
  await expect(
    openRepository({ cwd: dir.path, env: gitTestEnv, signal }),
  ).rejects.toBe(reason);
});
