import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { configEnv, openGit, streamObjects, withEnv } from "./index.js";

test("objects come whole and in the order they are listed", async () => {
  await using dir = await tempDir();
  buildHistory(
    dir.path,
    Array.from({ length: 60 }, (_, n) => ({ message: "x".repeat(n * 400) })),
  );
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const ids: string[] = [];
  const sizes: number[] = [];
  for await (const batch of streamObjects(git, [
    "rev-list",
    "--reverse",
    "main",
  ])) {
    for (const object of batch) {
      ids.push(object?.id ?? "missing");
      sizes.push(object?.content.toString().split("\n\n")[1]?.length ?? -1);
    }
  }
  expect(ids).toEqual(
    gitIn(dir.path, "rev-list", "--reverse", "main").trim().split("\n"),
  );
  expect(sizes).toEqual(Array.from({ length: 60 }, (_, n) => n * 400));
});

test("settings given by the environment add to those that are there", async () => {
  await using dir = await tempDir();
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const once = withEnv(git, configEnv(git.env, { "a.b": "1" }));
  const twice = withEnv(once, configEnv(once.env, { "c.d": "2" }));
  const values = await Promise.all(
    ["a.b", "c.d"].map(async (key) =>
      (await twice.run(["config", key])).stdout.toString(),
    ),
  );
  expect(values).toEqual(["1\n", "2\n"]);
});
