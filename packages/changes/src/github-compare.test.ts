import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { lines } from "./situations/change-lines.test.kit.js";
import { compareOnGitHub } from "./github-compare.js";
import {
  githubWorld,
  history,
  manyFiles,
  octo,
} from "./github-world.test.kit.js";
import type { World } from "./github-world.test.kit.js";

let it: World;
beforeAll(async () => {
  it = await githubWorld([
    ...history,
    { branch: "b299", from: "main", files: manyFiles(299) },
    { branch: "b301", from: "main", files: manyFiles(301) },
  ]);
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
});

const compare = (base: string, head: string, how: "direct" | "merge-base") =>
  compareOnGitHub({
    github: it.github,
    repository: octo,
    base: { name: base, commit: it.id(base) },
    head: { name: head, commit: it.id(head) },
    how,
  });

test("a comparison starts at the merge base", async () => {
  const range = await compare("main", "feature", "merge-base");
  expect(range?.base).toEqual({ name: "main", commit: it.id("main~1") });
  expect(range && lines(range)).toEqual([
    "committed modified b.txt",
    "committed deleted a/one.txt",
    "committed added c/moved.txt",
    "committed deleted gone.txt",
    "committed added é\n.txt",
  ]);
  expect(range?.unknown).toEqual([]);
});

test("a direct comparison of diverged commits has both sides' changes", async () => {
  const range = await compare("feature", "main", "direct");
  expect(range?.base).toEqual({ name: "feature", commit: it.id("feature") });
  expect(range && lines(range)).toEqual([
    "committed added later.txt",
    "committed modified b.txt",
    "committed added a/one.txt",
    "committed deleted c/moved.txt",
    "committed added gone.txt",
    "committed deleted é\n.txt",
  ]);
});

test("a direct comparison with an ancestor has the undone changes", async () => {
  const range = await compare("main", "main~1", "direct");
  expect(range && lines(range)).toEqual(["committed deleted later.txt"]);
});

test("a list of 299 files is complete; a list of 300 may be truncated, and isn't used", async () => {
  expect(await compare("main", "b299", "merge-base")).toMatchObject({
    unknown: [],
  });
  const cut = await compare("main", "b301", "merge-base");
  expect(cut?.changes.length).toBe(300);
  expect(cut?.unknown).toEqual([
    {
      kind: "list-cut",
      listed: 300,
      expected: undefined,
      detail:
        "GitHub lists at most 300 files of a comparison in octo/app, and it listed 300",
    },
  ]);
});

test.each([
  ["the second half", "b301", "b299"],
  ["the first half", "b299", "b301"],
])(
  "a direct comparison reports that %s may be truncated",
  async (_, base, head) => {
    expect((await compare(base, head, "direct"))?.unknown).toEqual([
      {
        kind: "list-cut",
        listed: 300,
        expected: undefined,
        detail:
          "GitHub lists at most 300 files of a comparison in octo/app, and it listed 300",
      },
    ]);
  },
);

test("unrelated histories and unknown commits have no comparison", async () => {
  expect(await compare("main", "island", "merge-base")).toBeUndefined();
  const gone = { name: "gone", commit: "1".repeat(40) };
  expect(
    await compareOnGitHub({
      github: it.github,
      repository: octo,
      base: gone,
      head: { name: "main", commit: it.id("main") },
      how: "direct",
    }),
  ).toBeUndefined();
});
