import { expect, test } from "@jest/globals";
import { gitIn, tempDir, writeFiles } from "@skein/testing";
import { changesetOf } from "./change-lines.test.kit.js";

test("before the first commit, the missing base is reported", async () => {
  await using dir = await tempDir();
  gitIn(dir.path, "init", "-q");
  await writeFiles(dir.path, { staged: "1", untracked: "1" });
  gitIn(dir.path, "add", "staged");
  expect(await changesetOf(dir.path)).toEqual({
    base: undefined,
    head: undefined,
    source: { kind: "git", includesWorkingTree: true },
    changes: [
      {
        path: "staged",
        kind: "added",
        origin: "staged",
        newMode: "100644",
        newId: gitIn(dir.path, "hash-object", "staged").trim(),
      },
      { path: "untracked", kind: "added", origin: "untracked" },
    ],
    unknown: [{ kind: "no-base", detail: "the repository has no commits yet" }],
  });
});
