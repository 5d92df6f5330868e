import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, tempDir, writeFiles } from "@skein/testing";
import { uncheckedEntries } from "./unchecked-entries.js";

test.each([
  ["sha1", 2],
  ["sha1", 4],
  ["sha256", 2],
  ["sha256", 4],
])(
  "flags are read from an index with %s ids, version %d",
  async (format, version) => {
    await using dir = await tempDir();
    const git = (...args: string[]) => gitIn(dir.path, ...args);
    const index = () =>
      uncheckedEntries(readFileSync(join(dir.path, ".git/index")))?.map(
        ({ path, isSkipped }) => [path, isSkipped],
      );
    git("init", "--quiet", `--object-format=${format}`);
    await writeFiles(dir.path, {
      "a/ä-rather-long-name": "1",
      "a/ä-rather-long-name-2": "2",
      b: "3",
      "c/d": "4",
    });
    git("add", "--all");
    git("update-index", `--index-version=${version}`);
    expect(index()).toEqual([]);
    git("update-index", "--assume-unchanged", "a/ä-rather-long-name-2", "c/d");
    // Git then writes version 3 instead of 2.
    git("update-index", "--skip-worktree", "b", "c/d");
    git("add", "--intent-to-add", "--", ".");
    expect(index()).toEqual([
      ["a/ä-rather-long-name-2", false],
      ["b", true],
      ["c/d", true],
    ]);
    git("update-index", "--split-index");
    expect(index()).toBe(undefined);
  },
);

test.each([
  ["an empty file", Buffer.alloc(0)],
  ["another file", Buffer.from("x".repeat(100))],
  [
    "a truncated index",
    Buffer.from("DIRC\0\0\0\x02\0\0\0\x09".padEnd(90, "\0")),
  ],
])("entries of %s are unknown", (_, bytes) => {
  expect(uncheckedEntries(bytes)).toBe(undefined);
});
