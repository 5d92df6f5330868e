import { rename } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
} from "../migrate.test.kit.js";

test("without originals and without the source, verify proves what it can and reports the rest as not compared", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["v1.0.0"] },
    { files: { a: "1" } },
  ]);
  const { source, target } = pair;
  const add = ["add", "../lib", "--no-originals", ...historyOnly];
  expect(await migrate(target, add)).toMatchObject({ code: 0 });
  // The fetched pack was the only one that held them.
  gitIn(target, "gc", "--quiet", "--prune=now");
  await rename(source, `${source}-moved`);
  const why = `cannot read the source ${source}: '${source}' does not appear to be a git repository`;
  const open = [
    `Not compared: 2 commits, because the originals were not stored (--no-originals) and cannot be fetched: ${why}`,
    "As recorded: 0 resolutions of yarn.lock; no other resolution has changed.",
    "Not compared: packed files. The source's files are not available.",
    "",
  ];
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 3,
    stdout: [
      "@acme/lib: no findings: its history is in the branch, and 1 tag is unchanged.",
      ...open,
    ].join("\n"),
    stderr: `migrate-repo: ${why}\nhint: check the address, and that \`git ls-remote\` can read it; private repositories need your git credentials\n`,
  });
  // A difference decides the exit code, even if originals are missing.
  gitIn(target, "tag", "--delete", "@acme/lib@1.0.0");
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 1,
    stdout: [
      "@acme/lib: 1 finding.",
      "  The tag refs/tags/@acme/lib@1.0.0 is gone.",
      ...open,
    ].join("\n"),
    stderr: "",
  });
  await rename(`${source}-moved`, source);
  expect(await migrate(target, ["verify", "lib"])).toMatchObject({ code: 1 });
});
