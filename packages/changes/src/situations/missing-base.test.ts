import { describe, expect, test } from "@jest/globals";
import { RepositoryError } from "@skein/git";
import { buildHistory, gitIn, tempDir, type CommitSpec } from "@skein/testing";
import type { GitChangesetRequest } from "../git-changeset.js";
import { changesetOf, lines } from "./change-lines.test.kit.js";

const HISTORY: readonly CommitSpec[] = [
  { branch: "work", files: { a: "1" } },
  { branch: "other", files: { b: "1" } },
];

describe("without a base, there is an error, or everything is selected with the reason", () => {
  test.each<
    [string, readonly CommitSpec[], Partial<GitChangesetRequest>, string]
  >([
    [
      "unrelated histories",
      HISTORY,
      { base: "other" },
      "other and HEAD have no history in common",
    ],
    [
      "unrelated default branch",
      [...HISTORY, { branch: "main", files: { c: "1" } }],
      {},
      "main and HEAD have no history in common",
    ],
    ["unknown base", HISTORY, { base: "-x" }, 'there is no commit called "-x"'],
    [
      "unknown since",
      HISTORY,
      { since: "0".repeat(40) },
      `there is no commit called "${"0".repeat(40)}"`,
    ],
    [
      "no default branch",
      HISTORY,
      {},
      "no default branch was found (tried origin/HEAD, origin/main, main, origin/master, master)",
    ],
  ])("%s", async (_, history, request, detail) => {
    await using dir = await tempDir();
    buildHistory(dir.path, history);
    await expect(changesetOf(dir.path, request)).rejects.toBeInstanceOf(
      RepositoryError,
    );
    expect(
      await changesetOf(dir.path, { ...request, onMissingBase: "everything" }),
    ).toEqual({
      base: undefined,
      head: {
        name: "HEAD",
        commit: gitIn(dir.path, "rev-parse", "HEAD").trim(),
      },
      source: { kind: "git", includesWorkingTree: true },
      changes: [],
      unknown: [{ kind: "no-base", detail }],
    });
  });
});

test("--since compares unrelated histories, because it needs no merge base", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, HISTORY);
  expect(lines(await changesetOf(dir.path, { since: "other" }))).toEqual([
    "committed added a",
    "committed deleted b",
  ]);
});

test("an unknown head is an error, with any setting for a missing base", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  await expect(
    changesetOf(dir.path, { head: "mian", onMissingBase: "everything" }),
  ).rejects.toMatchObject({
    problem: { kind: "unknown-ref", ref: "mian", suggestions: ["main"] },
  });
});
