import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import type { CommitSpec } from "@skein/testing";
import { findMergeBases } from "./common-history.js";
import { RepositoryError, wordsOf } from "../errors.js";
import { resolveBase } from "./find-base.js";
import { openRepository } from "../repository.js";

const line = (
  branch: string,
  count: number,
  from?: string,
): readonly CommitSpec[] =>
  Array.from({ length: count }, (_, index) => ({
    branch,
    files: { [branch]: String(index) },
    ...(index === 0 && from !== undefined && { from }),
  }));

/**
 * Creates a remote with 100 commits on main, from which `feature` branches off at `fork`, and a clone of `feature` with
 * one commit.
 */
async function shallowClone(fork: number, ...flags: string[]) {
  const dir = await tempDir();
  const remote = join(dir.path, "remote");
  const clone = join(dir.path, "clone");
  gitIn(dir.path, "init", "-q", "remote");
  buildHistory(remote, [
    ...line("main", 100),
    ...line("feature", 10, `:${fork}`),
  ]);
  const url = pathToFileURL(remote).href;
  gitIn(
    dir.path,
    "clone",
    "-q",
    "--depth=1",
    "-b",
    "feature",
    ...flags,
    url,
    clone,
  );
  const open = (env = {}) =>
    openRepository({ cwd: clone, env: { ...gitTestEnv, ...env } });
  return {
    remote,
    clone,
    open,
    id: (ref: string) => gitIn(remote, "rev-parse", ref).trim(),
    refs: () => gitIn(clone, "for-each-ref"),
    commits: () => Number(gitIn(clone, "rev-list", "--count", "HEAD")),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

type Clone = Awaited<ReturnType<typeof shallowClone>>;

async function meet(
  clone: Clone,
  deepen: "auto" | "never",
  env = {},
): Promise<readonly string[]> {
  const repository = await clone.open(env);
  const base = await resolveBase(repository, "origin/main", deepen);
  const head = { name: "HEAD", commit: repository.head ?? "" };
  return findMergeBases(repository, { base, head, deepen });
}

async function problem(asked: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asked.catch((e: unknown) => e);
  if (error instanceof RepositoryError) return error.problem;
  throw new Error("no problem", { cause: error });
}

test("one step is enough, no ref moves and no file remains", async () => {
  await using clone = await shallowClone(80);
  const before = clone.refs();
  expect(await meet(clone, "auto")).toEqual([clone.id("main~20")]);
  expect(clone.commits()).toBe(51);
  expect(clone.refs()).toBe(before);
  await expect(readFile(join(clone.clone, ".git/FETCH_HEAD"))).rejects.toThrow(
    "ENOENT",
  );
});

test("the next step fetches more if the first one isn't enough", async () => {
  await using clone = await shallowClone(5);
  expect(await meet(clone, "auto")).toEqual([clone.id("main~95")]);
});

test("commits that no remote has don't prevent a result", async () => {
  await using clone = await shallowClone(80);
  gitIn(clone.clone, "commit", "-q", "--allow-empty", "-m", "mine");
  expect(await meet(clone, "auto")).toEqual([clone.id("main~20")]);
});

test("without fetching, the error contains a command that works", async () => {
  await using clone = await shallowClone(80, "--no-single-branch");
  const command = "git fetch --unshallow origin";
  expect(await problem(meet(clone, "never"))).toEqual({
    kind: "no-merge-base",
    base: "origin/main",
    head: "HEAD",
    why: "shallow",
    command,
    message: undefined,
  });
  gitIn(clone.clone, ...command.split(" ").slice(1));
  expect(await meet(clone, "never")).toEqual([clone.id("main~20")]);
});

test("without fetching and without the base, one command fetches both", async () => {
  await using clone = await shallowClone(80);
  const command =
    "git fetch --unshallow origin +refs/heads/main:refs/remotes/origin/main";
  expect(await problem(meet(clone, "never"))).toEqual({
    kind: "unknown-ref",
    ref: "origin/main",
    suggestions: [],
    command,
    message: undefined,
  });
  gitIn(clone.clone, ...command.split(" ").slice(1));
  expect(await meet(clone, "never")).toEqual([clone.id("main~20")]);
});

test("a merge base isn't used if a nearer one may be missing in the clone", async () => {
  await using dir = await tempDir();
  const remote = join(dir.path, "remote");
  gitIn(dir.path, "init", "-q", "remote");
  // main: 1 2 3 4. feature branched off at 1 and merged 3 long ago, beyond the depth of a clone with two commits.
  buildHistory(remote, [
    ...line("main", 4),
    { branch: "feature", from: ":1", files: { f: "1" } },
    { branch: "feature", merge: [":3"], files: { f: "2" } },
    ...line("feature", 2),
    { branch: "feature", merge: [":1"], files: { f: "3" } },
  ]);
  const clone = join(dir.path, "clone");
  const url = pathToFileURL(remote).href;
  gitIn(dir.path, "clone", "-q", "--depth=2", "-b", "feature", url, clone);
  gitIn(clone, "fetch", "-q", "--depth=4", "origin", "main");
  const repository = await openRepository({ cwd: clone, env: gitTestEnv });
  const id = (ref: string) => gitIn(remote, "rev-parse", ref).trim();
  const tips = {
    base: { name: "main", commit: id("main") },
    head: { name: "HEAD", commit: id("feature") },
  };
  expect(gitIn(clone, "merge-base", "HEAD", id("main")).trim()).toBe(
    id("main~3"),
  );
  expect(
    await problem(findMergeBases(repository, { ...tips, deepen: "never" })),
  ).toMatchObject({ kind: "no-merge-base", why: "shallow" });
  expect(await findMergeBases(repository, { ...tips, deepen: "auto" })).toEqual(
    [id("main~1")],
  );
});

test("a base that is an ancestor of head is certain in any shallow clone", async () => {
  await using clone = await shallowClone(100);
  gitIn(clone.clone, "fetch", "-q", "--depth=11", "origin", "feature");
  gitIn(clone.clone, "remote", "set-url", "origin", "file:///nowhere");
  const repository = await clone.open();
  const commit = clone.id("main");
  const head = { name: "HEAD", commit: repository.head ?? "" };
  expect(
    await findMergeBases(repository, {
      base: { name: "main", commit },
      head,
      deepen: "never",
    }),
  ).toEqual([commit]);
});

test("unrelated histories have no merge base, shallow or not", async () => {
  await using clone = await shallowClone(80);
  gitIn(clone.remote, "checkout", "-q", "--orphan", "alone");
  gitIn(clone.remote, "commit", "-q", "-m", "alone");
  const ask = async () => {
    const repository = await clone.open();
    const base = await resolveBase(repository, clone.id("alone"), "auto");
    const head = { name: "HEAD", commit: repository.head ?? "" };
    return findMergeBases(repository, { base, head, deepen: "auto" });
  };
  const unrelated = { kind: "no-merge-base", why: "unrelated" };
  expect(await problem(ask())).toMatchObject(unrelated);
  expect((await clone.open()).isShallow).toBe(false);
  expect(await problem(ask())).toMatchObject(unrelated);
});

test("an unreachable remote is reported with git's message and the command", async () => {
  await using clone = await shallowClone(80);
  const repository = await clone.open();
  const base = await resolveBase(repository, "origin/main", "auto");
  gitIn(clone.clone, "remote", "set-url", "origin", "file:///nowhere");
  const head = { name: "HEAD", commit: repository.head ?? "" };
  expect(
    await problem(findMergeBases(repository, { base, head, deepen: "auto" })),
  ).toMatchObject({
    kind: "no-merge-base",
    why: "shallow",
    command: "git fetch --unshallow origin",
    message: expect.stringContaining("'/nowhere' does not appear to be a git"),
  });
});

test("a password in a remote's URL isn't printed", async () => {
  await using clone = await shallowClone(80);
  const repository = await clone.open();
  const base = await resolveBase(repository, "origin/main", "auto");
  // No server listens on port 1.
  const url = "http://ada:s3cret@127.0.0.1:1/repository";
  gitIn(clone.clone, "remote", "set-url", "origin", url);
  const head = { name: "HEAD", commit: repository.head ?? "" };
  const reported = await problem(
    findMergeBases(repository, { base, head, deepen: "auto" }),
  );
  expect(reported).toMatchObject({
    message: expect.stringContaining("127.0.0.1"),
  });
  expect(JSON.stringify(reported)).not.toContain("s3cret");
  expect(wordsOf(new Error(`cannot access '${url}'`))).toBe(
    "cannot access 'http://***@127.0.0.1:1/repository'",
  );
});

test("a remote whose URL would run a program isn't used", async () => {
  await using clone = await shallowClone(80);
  const repository = await clone.open();
  const base = await resolveBase(repository, "origin/main", "auto");
  const mark = join(clone.clone, "ran");
  gitIn(clone.clone, "remote", "set-url", "origin", `ext::touch ${mark}`);
  gitIn(clone.clone, "config", "protocol.ext.allow", "always");
  const head = { name: "HEAD", commit: repository.head ?? "" };
  expect(
    await problem(findMergeBases(repository, { base, head, deepen: "auto" })),
  ).toMatchObject({ message: expect.stringContaining("'ext' not allowed") });
  await expect(readFile(mark)).rejects.toThrow("ENOENT");
});

test("the user's own settings for a remote still apply", async () => {
  await using clone = await shallowClone(80);
  const url = pathToFileURL(clone.remote).href;
  gitIn(clone.clone, "remote", "set-url", "origin", "ours:repository");
  const env = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${url}.insteadOf`,
    GIT_CONFIG_VALUE_0: "ours:repository",
  };
  expect(await meet(clone, "auto", env)).toEqual([clone.id("main~20")]);
});
