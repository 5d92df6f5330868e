import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { openGit } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { openDraft } from "./draft.js";

/** Names whose order in a tree isn't alphabetical, and files and folders with the same stem. */
const paths = ["a", "a-b", "a.b/x", "ab/x", "ab/y/z", "ab0", "é/ü", "z/z/z"];

const edits = fc.array(
  fc.record({
    path: fc.constantFrom(...paths),
    content: fc.option(fc.constantFrom("1", "2", ""), { nil: undefined }),
    save: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Applies the same edits with git's own index. */
function byIndex(dir: string, files: ReadonlyMap<string, string>): string {
  gitIn(dir, "read-tree", "--empty");
  for (const [path, content] of files) {
    const { stdout } = spawnSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: dir,
      env: gitTestEnv,
      input: content,
      encoding: "utf8",
    });
    const entry = `100644,${stdout.trim()},${path}`;
    gitIn(dir, "update-index", "--add", "--cacheinfo", entry);
  }
  return gitIn(dir, "write-tree").trim();
}

test("any edits give the tree that git's index gives, and the same list", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { "ab/x": "0", "k/e/p/t": "0", top: "0" } },
  ]);
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      const draft = await openDraft(git, "HEAD", dir.path);
      const files = new Map([
        ["ab/x", "0"],
        ["k/e/p/t", "0"],
        ["top", "0"],
      ]);
      for (const { path, content, save } of all) {
        if (content === undefined) {
          await draft.remove(path);
          files.delete(path);
        } else {
          await draft.write(path, content);
          files.set(path, content);
        }
        // A folder that was read earlier must show later edits, too.
        expect((await draft.list("")).map((one) => one.path).sort()).toEqual(
          [...files.keys()].sort(),
        );
        if (save) await draft.save();
      }
      const tree = await draft.save();
      expect(tree).toBe(byIndex(dir.path, files));
      expect((await draft.list("")).map(({ path }) => path)).toEqual(
        gitIn(dir.path, "ls-files", "-z").split("\0").slice(0, -1),
      );
      for (const path of paths)
        expect((await draft.read(path))?.toString()).toBe(files.get(path));
      draft[Symbol.dispose]();
    }),
    { numRuns: 15 },
  );
});

test("names that aren't UTF-8 don't change when another file is edited", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { "d/a": "0" } }]);
  const blob = gitIn(dir.path, "rev-parse", "HEAD:d/a").trim();
  const { stdout } = spawnSync("git", ["mktree", "-z"], {
    cwd: dir.path,
    env: gitTestEnv,
    input: Buffer.from(`100644 blob ${blob}\tlatin-\xe9\0`, "latin1"),
    encoding: "utf8",
  });
  const draft = await openDraft(
    openGit({ cwd: dir.path, env: gitTestEnv }),
    stdout.trim(),
    dir.path,
  );
  await draft.write("new", "0");
  const names = spawnSync("git", ["ls-tree", "-z", await draft.save()], {
    cwd: dir.path,
    env: gitTestEnv,
  }).stdout.toString("latin1");
  draft[Symbol.dispose]();
  expect(names).toBe(
    `100644 blob ${blob}\tlatin-\xe9\x00100644 blob ${blob}\tnew\0`,
  );
});
