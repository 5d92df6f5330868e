import { expect, test } from "@jest/globals";
import { buildHistory, gitIn } from "./history.js";
import { tempDir } from "./temp-dir.js";

test("a history has the same ids on every run, for any file names", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        'a b\n"q"': "1",
        link: { symlink: "a" },
        run: { executable: "#!/bin/sh\n" },
      },
      tags: ["v1"],
    },
    { branch: "side", from: "main", files: { side: "2" } },
    { branch: "main", files: { main: "3" }, merge: ["side"] },
  ]);
  expect(
    gitIn(dir.path, "ls-tree", "-r", "-z", "HEAD")
      .split("\0")
      .map((line) => line.replace(/ .*\t/, " ")),
  ).toEqual([
    '100644 a b\n"q"',
    "120000 link",
    "100644 main",
    "100755 run",
    "",
  ]);
  expect(gitIn(dir.path, "rev-parse", "HEAD").trim()).toBe(
    "ced9e2dad1c8fcd9be155a613c537dc942a1b46e",
  );
});
