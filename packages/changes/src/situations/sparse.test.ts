import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf, lines } from "./change-lines.test.kit.js";

const FILES = { "in/a": "1", "out/b": "1", "out/c": "1" };

test("files outside of a sparse checkout are unchanged, and compared if they exist", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: FILES },
    { branch: "work", from: "main", files: { "out/b": "2" } },
  ]);
  gitIn(dir.path, "checkout", "-q", "work");
  gitIn(dir.path, "sparse-checkout", "set", "in");
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified out/b",
  ]);
  await writeFiles(dir.path, { "out/c": "3" });
  expect(lines(await changesetOf(dir.path))).toEqual([
    "committed modified out/b",
    "unstaged modified out/c",
  ]);
});

test.each([
  ["--assume-unchanged", []],
  ["--skip-worktree", []],
  // Then a part of the index is in another file, which only git reads.
  ["--assume-unchanged", ["--split-index"]],
])(
  "files that git must not check (%s %j) are compared, because scripts read them",
  async (flag, more) => {
    await using dir = await tempDir();
    buildHistory(dir.path, [
      {
        files: {
          ...FILES,
          ".gitattributes": "*.txt text eol=lf\n",
          "in/mode": "1",
          "in/same": "1",
          "in/crlf.txt": "1\n",
          'in/"odd\n\\name': "1",
        },
      },
    ]);
    gitIn(dir.path, "ls-files", "-z")
      .split("\0")
      .filter((path) => path !== "")
      .forEach((path) => gitIn(dir.path, "update-index", flag, "--", path));
    gitIn(dir.path, "update-index", ...more);
    expect(lines(await changesetOf(dir.path))).toEqual([]);
    await writeFiles(dir.path, {
      "in/a": "3",
      "in/same": "1",
      // Git would keep the same content.
      "in/crlf.txt": "1\r\n",
      'in/"odd\n\\name': "2",
    });
    await chmod(join(dir.path, "in/mode"), 0o755);
    await rm(join(dir.path, "out"), { recursive: true });
    expect(lines(await changesetOf(dir.path))).toEqual([
      'unstaged modified in/"odd\n\\name',
      "unstaged modified in/a",
      "unstaged modified in/mode",
      "unstaged deleted out/b",
      "unstaged deleted out/c",
    ]);
  },
);
