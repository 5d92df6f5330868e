import { expect, test } from "@jest/globals";
import { openRepository } from "@skein/git";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
  writeFiles,
} from "@skein/testing";
import { readGitChangeset } from "../git-changeset.js";
import { changesetOf, lines } from "./change-lines.test.kit.js";

test("a detached HEAD is compared like any other", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "work", from: "main", files: { b: "1" } },
    { branch: "work", files: { c: "1" } },
  ]);
  gitIn(dir.path, "checkout", "-q", "--detach", "work~1");
  expect(lines(await changesetOf(dir.path))).toEqual(["committed added b"]);
});

test("files that are committed while they are read aren't lost", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  const repository = await openRepository({ cwd: dir.path, env: gitTestEnv });
  await writeFiles(dir.path, { a: "2" });
  gitIn(dir.path, "commit", "-q", "-a", "-m", "meanwhile");
  expect(
    lines(
      await readGitChangeset(repository, {
        workingTree: true,
        deepen: "never",
        onMissingBase: "error",
      }),
    ),
  ).toEqual(["committed modified a"]);
});
