import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { prepareRefs } from "./ref-transaction.js";
import { openGit } from "./index.js";

test("a commit moves all refs together; an abort or a conflict moves none", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{}, {}]);
  const [head = "", first = ""] = gitIn(dir.path, "rev-list", "main").split(
    "\n",
  );
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const refs = () =>
    gitIn(dir.path, "for-each-ref", "--format=%(refname) %(objectname)")
      .trim()
      .split("\n");
  const create = { ref: "refs/tags/a", old: undefined, new: first };
  const move = { ref: "refs/heads/main", old: head, new: first };

  const aborted = await prepareRefs(git, [create, move], "test");
  await aborted.abort();
  expect(refs()).toEqual([`refs/heads/main ${head}`]);

  await expect(
    prepareRefs(git, [create, { ...move, old: first, new: head }], "test"),
  ).rejects.toMatchObject({ name: "GitError", exitCode: 128 });
  expect(refs()).toEqual([`refs/heads/main ${head}`]);

  await (await prepareRefs(git, [create, move], "test")).commit();
  expect(refs()).toEqual([`refs/heads/main ${first}`, `refs/tags/a ${first}`]);

  await expect(
    prepareRefs(git, [{ ...create, ref: "refs/tags/a/b" }], "test"),
  ).rejects.toMatchObject({ name: "GitError" });
});
