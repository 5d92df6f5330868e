import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { buildPair, historyOnly, migrate, shown } from "../migrate.test.kit.js";

const lines = (...words: string[]) =>
  words.map((word) => `const ${word} = 1;\n`).join("");

test("blame assigns lines that were moved into a chosen folder to the commit that moved them", async () => {
  await using pair = await buildPair([
    {
      files: {
        "package.json": json({ name: "mono", workspaces: ["packages/*"] }),
        "packages/a/package.json": json({ name: "@acme/a" }),
        "src/old.js": lines("one", "two", "three", "four", "five"),
      },
    },
    {
      remove: ["src/old.js"],
      files: {
        "packages/a/new.js": lines("one", "two", "three", "four", "five"),
      },
    },
    {
      files: {
        "packages/a/new.js": lines("one", "two", "three", "four", "six"),
      },
    },
  ]);
  expect(gitIn(pair.source, "blame", "-s", "packages/a/new.js")).toContain(
    " src/old.js ",
  );
  await migrate(pair.target, [
    ...["add", "../lib", "--only", "packages/a"],
    ...historyOnly,
  ]);
  expect(await shown(pair.target, ["verify", "@acme/a"])).toBe(
    "0 stdout: @acme/a: nothing is missing. 3 commits with exactly the files of their originals, 0 tags, log and blame of 2 files as in the source.\nAs recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.\n",
  );
});
