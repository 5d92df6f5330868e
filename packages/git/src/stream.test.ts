import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import {
  configEnv,
  openGit,
  splitStream,
  streamObjects,
  withEnv,
} from "./index.js";

test("objects are complete and in the order of the list", async () => {
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

test("settings are added to those in the environment", async () => {
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

test.each([1, 2, 5, 100])(
  "lines in pieces of %i bytes are read",
  async (size) => {
    const bytes = Buffer.from("one\n\ntwo, the longest\nthree\nno end");
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, at) => bytes.subarray(at * size, (at + 1) * size),
    );
    const lines = [];
    for await (const line of splitStream(Readable.from(pieces), 10))
      lines.push(line);
    expect(lines).toEqual(["one", "", "two, the longest", "three", "no end"]);
  },
);
