import { join } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { openGit } from "@skein/git";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
  type CommitSpec,
} from "@skein/testing";
import type { Placement } from "../migration.js";
import { IdList } from "../objects/id-list.js";
import { writePack } from "../objects/pack-writer.js";
import { commitMap } from "./commit-map.js";
import { graft } from "./graft.js";
import { proveTrees } from "./prove-trees.js";

const paths = ["a", "a b", "d/x", "d/y", "d/é/z", "top"];

/** A history of any shape: each commit has its own branch, starts anywhere, and merges up to three other commits. */
const histories = fc
  .array(
    fc.record({
      from: fc.nat(),
      merge: fc.array(fc.nat(), { maxLength: 3 }),
      write: fc.dictionary(
        fc.constantFrom(...paths),
        fc.constantFrom("1", "2"),
        { maxKeys: 2 },
      ),
      remove: fc.option(fc.constantFrom(...paths), { nil: undefined }),
      root: fc.integer({ min: 0, max: 9 }),
      message: fc.constantFrom("", "plain", "fix #1\n\nbody\n", "ünïcödé\n"),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map((one, index): CommitSpec => {
      const parents = [
        ...new Set(one.merge.map((at) => at % Math.max(1, index))),
      ];
      const from = one.from % Math.max(1, index);
      const isRoot = index === 0 || one.root === 0;
      return {
        branch: index === 0 ? "main" : `b${index}`,
        message: one.message,
        files: one.write,
        ...(one.remove !== undefined && { remove: [one.remove] }),
        ...(!isRoot && {
          from: `:${from + 1}`,
          merge: parents.filter((at) => at !== from).map((at) => `:${at + 1}`),
        }),
      };
    }),
  );

async function graftLast(
  dir: string,
  commits: readonly CommitSpec[],
  placements: readonly Placement[],
) {
  buildHistory(dir, commits);
  const git = openGit({ cwd: dir, env: gitTestEnv });
  const tip = gitIn(dir, "rev-parse", commits.at(-1)?.branch ?? "main").trim();
  const place = {
    git,
    objects: join(dir, ".git/objects"),
    objectFormat: "sha1",
  } as const;
  const done = await writePack(place, (pack) =>
    graft({
      git,
      pack,
      tips: [tip],
      placements,
      known: commitMap([]),
      exclude: [],
      qualifyRefs: undefined,
      trailer: undefined,
      onProgress: () => undefined,
    }),
  );
  return { git, tip, done, map: done.commits };
}

/** Returns everything of a commit except its tree and parents, byte for byte. */
const wordsOf = (dir: string, id: string) =>
  gitIn(dir, "cat-file", "commit", id)
    .split("\n")
    .filter((line) => !/^(?:tree|parent) [0-9a-f]{40}$/.test(line))
    .join("\n");
const parentsOf = (dir: string, id: string) =>
  gitIn(dir, "rev-list", "--parents", "--max-count=1", id)
    .trim()
    .split(" ")
    .slice(1);

test("any history: every commit has its original's files, message and parents", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (commits) => {
      await using dir = await tempDir();
      const placements = [{ from: "", to: "packages/li b" }];
      const { git, tip, done, map } = await graftLast(
        dir.path,
        commits,
        placements,
      );
      expect([...done.commits].map(({ old }) => old).sort()).toEqual(
        gitIn(dir.path, "rev-list", tip).trim().split("\n").sort(),
      );
      for (const trees of [undefined, done.trees])
        expect(await proveTrees(git, done.commits, placements, trees)).toEqual({
          compared: done.commits.size,
          differences: [],
        });
      for (const { old, new: id = "" } of done.commits) {
        expect(wordsOf(dir.path, id)).toBe(wordsOf(dir.path, old));
        expect(parentsOf(dir.path, id)).toEqual(
          parentsOf(dir.path, old).map((parent) => map.get(parent)),
        );
        expect(
          gitIn(dir.path, "ls-tree", "-r", "--name-only", "-z", id)
            .split("\0")
            .filter(
              (path) => path !== "" && !path.startsWith("packages/li b/"),
            ),
        ).toEqual([]);
      }
    }),
    { numRuns: 12 },
  );
});

test("any history limited to paths: their files, and no commit without a change", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (commits) => {
      await using dir = await tempDir();
      const placements = [
        { from: "d", to: "packages/d" },
        { from: "a", to: "packages/a.txt" },
      ];
      const { git, done } = await graftLast(dir.path, commits, placements);
      const { differences } = await proveTrees(git, done.commits, placements);
      expect(differences).toEqual([]);
      for (const id of new Set([...done.commits].map((commit) => commit.new))) {
        if (id === undefined) continue;
        const parents = parentsOf(dir.path, id);
        expect(new Set(parents).size).toBe(parents.length);
        if (parents.length === 1)
          expect(gitIn(dir.path, "rev-parse", `${id}^{tree}`)).not.toBe(
            gitIn(dir.path, "rev-parse", `${parents[0] ?? ""}^{tree}`),
          );
      }
    }),
    { numRuns: 12 },
  );
});

test("ids are the same as git-filter-repo's", async () => {
  await using dir = await tempDir();
  const { map, tip } = await graftLast(
    dir.path,
    [
      { files: { a: "1" }, message: "one (#1)\n" },
      { branch: "side", from: "main", files: { b: "1" } },
      { branch: "main", files: { a: "2" } },
      { branch: "main", merge: ["side"], files: { b: "1" } },
      { branch: "main", message: "empty" },
      { branch: "main", message: "last" },
    ],
    [{ from: "", to: "packages/lib" }],
  );
  // git filter-repo 2.47.0 --to-subdirectory-filter packages/lib --preserve-commit-hashes --preserve-commit-encoding
  expect(map.get(tip)).toBe("b070bfdd3382452a3d1facf22c4cbd0b200a8888");
});

test("a commit whose tree differs from the one that git listed for its original is found", async () => {
  await using dir = await tempDir();
  const placements = [{ from: "", to: "packages/lib" }];
  const { git, done } = await graftLast(
    dir.path,
    [
      { branch: "main", message: "one", files: { a: "1" } },
      { branch: "main", message: "two", files: { a: "2" } },
    ],
    placements,
  );
  const [first, second] = done.commits;
  const swapped = new IdList(40);
  for (const index of [1, 0]) swapped.add(done.trees.at(index) ?? "");
  const path = "packages/lib";
  expect(await proveTrees(git, done.commits, placements, swapped)).toEqual({
    compared: 2,
    differences: [
      { ...first, path },
      { ...second, path },
    ],
  });
});
