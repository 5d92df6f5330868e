import { expect, test } from "@jest/globals";
import { commitTree, openGit, openObjects } from "@skein/git";
import { gitIn, gitTestEnv } from "@skein/testing";
import { githubTree } from "./github-tree.js";
import { githubWorld, octo } from "./github-world.test.kit.js";

const BLOB = "GET /repos/{owner}/{repo}/git/blobs/{file_sha}";

test("a commit's tree from GitHub equals the one in git", async () => {
  await using it = await githubWorld([
    {
      files: {
        "package.json": "{}",
        "a/b/c.bin": Buffer.from([0, 255, 13, 10]),
        "a/link": { symlink: "b/c.bin" },
        run: { executable: "#!/bin/sh\n" },
        'odd "\n é': "",
      },
    },
  ]);
  const submodule = `160000,${it.id("main")},sub`;
  gitIn(it.dir, "update-index", "--add", "--cacheinfo", submodule);
  gitIn(it.dir, "commit", "-qm", "submodule");

  const git = openGit({ cwd: it.dir, env: gitTestEnv });
  const objects = openObjects(git);
  const local = commitTree(git, objects, it.id("main"));
  const remote = githubTree(it.github, octo, it.id("main"));
  expect(remote.name).toBe(local.name);
  expect(await remote.list()).toEqual(await local.list());
  const paths = (await local.list()).map(({ path }) => path);
  for (const path of [...paths, "a", "nothing", "a/../run"])
    expect([path, await remote.read(path)]).toEqual([
      path,
      await local.read(path),
    ]);
  objects.close();
});

test("a blob of two commits is requested once, and one that failed is requested again", async () => {
  await using it = await githubWorld([
    { files: { same: "1", other: "1" } },
    { files: { other: "2" } },
  ]);
  const [base, head] = ["main~1", "main"].map((name) =>
    githubTree(it.github, octo, it.id(name)),
  );
  expect(await Promise.all([base?.read("same"), head?.read("same")])).toEqual([
    Buffer.from("1"),
    Buffer.from("1"),
  ]);
  expect(it.fake.count(BLOB)).toBe(1);

  it.fake.fail({ operation: BLOB, fault: { kind: "status", status: 404 } });
  await expect(head?.read("other")).rejects.toMatchObject({
    kind: "not-found",
  });
  expect(await head?.read("other")).toEqual(Buffer.from("2"));
});
