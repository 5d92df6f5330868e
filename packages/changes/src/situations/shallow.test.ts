import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

/** Clones as a CI checkout does: one branch, one commit deep, no remote HEAD. Further flags change that. */
async function checkout(...flags: string[]) {
  const dir = await tempDir();
  const remote = join(dir.path, "remote");
  const clone = join(dir.path, "clone");
  await mkdir(remote);
  buildHistory(remote, [
    { branch: "trunk", files: { a: "1" } },
    { branch: "work", from: "trunk", files: { b: "1" } },
    { branch: "work", files: { c: "1" } },
    { branch: "trunk", files: { d: "1" } },
  ]);
  gitIn(remote, "config", "uploadpack.allowFilter", "true");
  const url = pathToFileURL(remote).href;
  gitIn(dir.path, "clone", "-q", "-b", "work", ...flags, url, clone);
  gitIn(clone, "update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD");
  return {
    clone,
    id: (ref: string) => gitIn(remote, "rev-parse", ref).trim(),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const CHANGES = ["committed added b", "committed added c"];

test.each<[string, Parameters<typeof changesetOf>[1]]>([
  ["without options, Skein asks the remote for its default branch", {}],
  ["the setting names a branch that is not here", { defaultBranch: "trunk" }],
  ["so does --base", { base: "origin/trunk" }],
])("one commit deep: %s", async (_, request) => {
  await using ci = await checkout("--depth=1");
  const changeset = await changesetOf(ci.clone, { ...request, deepen: "auto" });
  expect(changeset.base).toEqual({
    name: "origin/trunk",
    commit: ci.id("trunk~1"),
  });
  expect(lines(changeset)).toEqual(CHANGES);
});

test("--base works with the id of an event", async () => {
  await using ci = await checkout("--depth=1");
  const base = ci.id("trunk");
  const changeset = await changesetOf(ci.clone, { base, deepen: "auto" });
  expect(changeset.base).toEqual({ name: base, commit: ci.id("trunk~1") });
  expect(lines(changeset)).toEqual(CHANGES);
});

test("both ends of an event are fetched by their ids", async () => {
  await using ci = await checkout("--depth=1", "-b", "trunk");
  const [base, head] = [ci.id("trunk~1"), ci.id("work")];
  const changeset = await changesetOf(ci.clone, { base, head, deepen: "auto" });
  expect(changeset.head).toEqual({ name: head, commit: head });
  expect(lines(changeset)).toEqual(CHANGES);
});

test("--since fetches only that commit", async () => {
  await using ci = await checkout("--depth=1");
  const since = ci.id("trunk~1");
  const changeset = await changesetOf(ci.clone, { since, deepen: "auto" });
  expect(lines(changeset)).toEqual(CHANGES);
  expect(gitIn(ci.clone, "rev-list", "--count", "HEAD").trim()).toBe("1");
});

test("a missing ancestor is fetched, and a nonexistent one is an error", async () => {
  await using ci = await checkout("--depth=1");
  const never = changesetOf(ci.clone, { base: "HEAD~2" });
  await expect(never).rejects.toMatchObject({
    problem: { kind: "unknown-ref", command: "git fetch --unshallow" },
  });
  const changeset = await changesetOf(ci.clone, {
    base: "HEAD~2",
    deepen: "auto",
  });
  expect(changeset.base).toEqual({ name: "HEAD~2", commit: ci.id("trunk~1") });
  expect(lines(changeset)).toEqual(CHANGES);
  await expect(
    changesetOf(ci.clone, { base: "HEAD~9", deepen: "auto" }),
  ).rejects.toMatchObject({ problem: { kind: "unknown-ref" } });
});

test("without fetching, there is an error, or everything is selected with the reason", async () => {
  await using ci = await checkout("--depth=1", "--no-single-branch");
  const request = { base: "origin/trunk" };
  await expect(changesetOf(ci.clone, request)).rejects.toMatchObject({
    problem: {
      kind: "no-merge-base",
      why: "shallow",
      command: "git fetch --unshallow origin",
    },
  });
  expect(
    await changesetOf(ci.clone, { ...request, onMissingBase: "everything" }),
  ).toMatchObject({
    base: undefined,
    changes: [],
    unknown: [
      {
        kind: "no-base",
        detail:
          "the clone is shallow, and its history ends before origin/trunk and HEAD meet",
      },
    ],
  });
});

test("a clone without blobs and without a checkout is enough", async () => {
  await using ci = await checkout("--filter=blob:none", "--no-checkout");
  const missing = () =>
    gitIn(ci.clone, "rev-list", "--objects", "--all", "--missing=print")
      .split("\n")
      .filter((line) => line.startsWith("?")).length;
  const before = missing();
  const changeset = await changesetOf(ci.clone, {
    base: "origin/trunk",
    workingTree: false,
  });
  expect(lines(changeset)).toEqual(CHANGES);
  expect(missing()).toBe(before);
});

test("a base that a force push removed is fetched by its id into a complete clone", async () => {
  await using ci = await checkout("--single-branch");
  const base = ci.id("trunk");
  const changeset = await changesetOf(ci.clone, { base, deepen: "auto" });
  expect(lines(changeset)).toEqual(CHANGES);
  expect(gitIn(ci.clone, "rev-parse", "--is-shallow-repository").trim()).toBe(
    "false",
  );
});
