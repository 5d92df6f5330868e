import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { IdList } from "../objects/id-list.js";
import { proveTrees } from "./prove-trees.js";

test("a commit must have the same object as its original at each placement, or also none", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { branch: "old", files: { "a/x": "1", "b/y": "2" } },
    { branch: "none", from: ":1", files: { c: "3" }, remove: ["a/x", "b/y"] },
    { branch: "new", from: ":1", files: { "p/x": "1", "q/y": "2" } },
    { branch: "more", from: ":1", files: { "p/x": "1", "q/y": "other" } },
    { branch: "empty", from: ":1", files: { c: "3" }, remove: ["a/x", "b/y"] },
    { branch: "bare" },
  ]);
  const id = (name: string) => gitIn(dir.path, "rev-parse", name).trim();
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const placements = [
    { from: "a", to: "p" },
    { from: "b", to: "q" },
  ];
  const pair = (old: string, to: string) => ({ old: id(old), new: id(to) });
  const at = (old: string, to: string, path: string) => ({
    ...pair(old, to),
    path,
  });
  const { compared, differences } = await proveTrees(
    git,
    [
      pair("old", "new"), // The same files.
      pair("old", "more"), // A different file.
      pair("none", "new"), // An entry where the original has none.
      pair("old", "empty"), // No entry where the original has one.
      pair("none", "empty"), // No entry in either.
      { old: id("old"), new: undefined }, // The commit was pruned.
    ],
    placements,
  );
  expect(compared).toBe(5);
  expect(differences).toEqual([
    at("old", "more", "q"),
    at("none", "new", "p"),
    at("none", "new", "q"),
    at("old", "empty", "p"),
    at("old", "empty", "q"),
  ]);
});

test("an empty source must result in no files, whether git or the caller provides its tree", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { branch: "bare" },
    { branch: "new", files: { "p/x": "1" } },
  ]);
  const id = (name: string) => gitIn(dir.path, "rev-parse", name).trim();
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const trees = new IdList(40);
  trees.add(id("bare^{tree}"));
  const commits = [{ old: id("bare"), new: id("new") }];
  for (const known of [undefined, trees])
    expect(
      (await proveTrees(git, commits, [{ from: "", to: "p" }], known))
        .differences,
    ).toEqual([{ old: id("bare"), new: id("new"), path: "p" }]);
});
