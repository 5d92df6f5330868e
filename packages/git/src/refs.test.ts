import { readdir } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { RepositoryError } from "./errors.js";
import { openGit } from "./git.js";
import { nearNames } from "./base/near-names.js";
import { findCommit, resolveCommit } from "./refs.js";
import { openRepository } from "./repository.js";

test("the name of a commit returns its id; other text returns nothing and has no effect", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { files: { a: "2" }, tags: ["v1"] },
  ]);
  gitIn(dir.path, "tag", "-m", "annotated", "v2", "v1");
  gitIn(dir.path, "update-ref", "refs/heads/-x", "v1");
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const head = gitIn(dir.path, "rev-parse", "HEAD").trim();
  for (const ref of ["main", "HEAD", "v1", "v2", head, "@", "@{0}", "-x"])
    expect([ref, await findCommit(git, ref)]).toEqual([ref, head]);
  for (const mergeBase of ["main", "HEAD", "v1", "v2", head, "@", "@{0}"]) {
    const { known } = await openRepository({
      cwd: dir.path,
      env: gitTestEnv,
      mergeBase,
    });
    expect(known.mergeBase).toMatchObject({ commit: head, bases: [head] });
  }
  const before = await readdir(dir.path);
  for (const ref of [
    "",
    "nothing",
    "--upload-pack=touch x",
    "--output=x",
    "--all",
    "main\nHEAD",
    "main\0",
    "^main",
    "main..v1",
    "HEAD:a",
    "HEAD^{tree}",
    "f".repeat(40),
    "../../etc/passwd",
  ]) {
    expect([ref, await findCommit(git, ref)]).toEqual([ref, undefined]);
    const { known } = await openRepository({
      cwd: dir.path,
      env: gitTestEnv,
      mergeBase: ref,
    });
    expect([ref, known.mergeBase]).toEqual([ref, undefined]);
  }
  expect(await readdir(dir.path)).toEqual(before);
});

test("an unknown ref is reported with similar names", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  gitIn(dir.path, "update-ref", "refs/remotes/origin/develop", "HEAD");
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const error: unknown = await resolveCommit(git, "develop").catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(RepositoryError);
  expect((error as RepositoryError).problem).toEqual({
    kind: "unknown-ref",
    ref: "develop",
    suggestions: ["origin/develop"],
    command: undefined,
    message: undefined,
  });
});

describe("similar names", () => {
  const names = ["main", "origin/main", "origin/master", "feature/login", "v1"];
  test.each([
    ["mian", ["main"]],
    ["master", ["origin/master"]],
    ["origin/mian", ["origin/main"]],
    ["upstream/main", ["main"]],
    ["feature/logn", ["feature/login"]],
    ["v2", ["v1"]],
    ["something-else", []],
  ])("%s", (asked, expected) => {
    expect(nearNames(asked, names)).toEqual(expected);
  });
});
