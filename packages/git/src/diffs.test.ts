import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { join } from "node:path";
import { buildHistory, gitIn, gitTestEnv, suiteDir } from "@skein/testing";
import { openDiffs, type DiffReader } from "./diffs.js";
import { GitError, openGit } from "./git.js";

const dir = await suiteDir(afterAll);
let diffs: DiffReader;

beforeAll(() => {
  buildHistory(dir, [
    { files: { a: "1", "end\n": "1" } },
    // Its answer doesn't fit into one chunk of the pipe, and contains the text that ends an answer.
    { files: { "end\n": "2", ":end\n": "", ...many(3000) }, remove: ["a"] },
    { files: { "end\n": "2" } },
  ]);
});

function many(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `deep/folder/${i}.txt`);
  return Object.fromEntries(names.map((name) => [name, name]));
}

function idOf(name: string): string {
  return gitIn(dir, "rev-parse", name).trim();
}

async function paths(...args: Parameters<DiffReader["read"]>) {
  const entries = await diffs.read(...args);
  return entries.map(({ path, kind }) => `${kind} ${path}`);
}

function open(): void {
  const git = openGit({ cwd: dir, env: gitTestEnv });
  diffs = openDiffs(git, join(dir, ".git"));
}

test("one process compares commits and trees, in the order of the questions", async () => {
  open();
  const [first, second, third] = ["main~2", "main~1", "main"].map(idOf);
  const [before, after, last] = [
    "main~2^{tree}",
    "main~1^{tree}",
    "main^{tree}",
  ].map(idOf);
  if (!first || !second || !third || !before || !after || !last)
    throw new Error("no commits");
  const answers = await Promise.all([
    paths(second, third),
    paths(after, last, "trees"),
    paths(first, second),
    paths(before, after, "trees"),
    paths(after, before, "trees"),
    paths(second, first),
  ]);
  diffs.close();
  const added = Object.keys(many(3000))
    .sort()
    .map((path) => `added ${path}`);
  const forth = ["added :end\n", "deleted a", ...added, "modified end\n"];
  const swapped = { added: "deleted", deleted: "added", modified: "modified" };
  const back = forth.map((line) =>
    line.replace(/^\w+/, (kind) => swapped[kind as keyof typeof swapped]),
  );
  expect(answers).toEqual([[], [], forth, forth, back, back]);
});

test("a tree that git lacks is an error, and later questions are answered", async () => {
  open();
  const [commit, tree] = [idOf("main~2"), idOf("main~2^{tree}")];
  const [missing, next] = await Promise.allSettled([
    diffs.read("1".repeat(40), tree, "trees"),
    paths(commit, idOf("main~1")),
  ]);
  expect(missing).toMatchObject({ reason: expect.any(GitError) });
  expect(next).toHaveProperty("value.length", 3003);
  diffs.close();
});

test("a question after the end of git is an error", async () => {
  open();
  const answered = diffs.read("1".repeat(40), "2".repeat(40));
  diffs.close();
  await expect(answered).rejects.toThrow(GitError);
  await expect(diffs.read(idOf("main"), idOf("main~1"))).rejects.toThrow(
    GitError,
  );
});
