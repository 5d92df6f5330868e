import { expect, test } from "@jest/globals";
import type { FileStatus, RemoteFile } from "@skein/github";
import { changesOfFiles } from "./github-files.js";

const file = (status: string, previousPath?: string): RemoteFile => ({
  path: "new",
  status: status as FileStatus,
  previousPath,
  id: "abc",
});
const committed = { origin: "committed" } as const;

test.each([
  [file("added"), [{ path: "new", kind: "added", newId: "abc" }]],
  [file("removed"), [{ path: "new", kind: "deleted", oldId: "abc" }]],
  [file("modified"), [{ path: "new", kind: "modified", newId: "abc" }]],
  [file("changed"), [{ path: "new", kind: "modified", newId: "abc" }]],
  [file("unchanged"), [{ path: "new", kind: "modified", newId: "abc" }]],
  [
    file("renamed", "old"),
    [
      { path: "old", kind: "deleted" },
      { path: "new", kind: "added", oldPath: "old", newId: "abc" },
    ],
  ],
  [
    file("copied", "old"),
    [{ path: "new", kind: "added", oldPath: "old", newId: "abc" }],
  ],
  [file("a word of next year"), [{ path: "new", kind: "modified" }]],
])("%j", (remote, changes) => {
  expect(changesOfFiles([remote])).toEqual({
    changes: changes.map((change) => ({ ...change, ...committed })),
    withoutOldPath: [],
  });
});

test("a renamed file without its old path makes the list incomplete", () => {
  expect(changesOfFiles([file("renamed")])).toEqual({
    changes: [{ path: "new", kind: "added", newId: "abc", ...committed }],
    withoutOldPath: ["new"],
  });
});
