import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import fc from "fast-check";
import { changesetOf } from "./situations/change-lines.test.kit.js";

/** The content of each file at one point in time; undefined for a file that doesn't exist. */
type Snapshot = Readonly<Record<string, string | undefined>>;

const PATHS = ["a", "é", "-x", "p/a", "p/b c", 'p/"q"', "p/q/new\nline"];

const snapshot = fc.record(
  Object.fromEntries(
    PATHS.map((path) => [
      path,
      fc.option(fc.constantFrom("1", "2", "3"), { nil: undefined }),
    ]),
  ),
);

const present = (files: Snapshot) =>
  Object.entries(files).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );

const differing = (from: Snapshot, to: Snapshot) =>
  PATHS.filter((path) => from[path] !== to[path]).sort();

/** The oracle knows the content of every file at each step, and doesn't use git. */
test("a path is listed exactly at the steps that changed it: commits, the index, the working tree", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        base: snapshot,
        head: snapshot,
        index: snapshot,
        disk: snapshot,
      }),
      async ({ base, head, index, disk }) => {
        await using dir = await tempDir();
        const commit = (branch: string, files: Snapshot) => ({
          branch,
          files: Object.fromEntries([["keep", "1"], ...present(files)]),
          remove: PATHS,
        });
        buildHistory(dir.path, [
          commit("main", base),
          { ...commit("work", head), from: "main" },
        ]);
        gitIn(dir.path, "checkout", "-q", "work");
        for (const step of [index, disk]) {
          for (const path of PATHS)
            await rm(join(dir.path, path), { force: true });
          await writeFiles(dir.path, Object.fromEntries(present(step)));
          if (step === index) gitIn(dir.path, "add", "--all");
        }
        const { changes } = await changesetOf(dir.path);
        const at = (...origins: string[]) =>
          changes
            .filter(({ origin }) => origins.includes(origin))
            .map(({ path }) => path)
            .sort();
        expect({
          committed: at("committed"),
          staged: at("staged"),
          edited: at("unstaged", "untracked"),
        }).toEqual({
          committed: differing(base, head),
          staged: differing(head, index),
          edited: differing(index, disk),
        });
      },
    ),
    { numRuns: 25 },
  );
});
