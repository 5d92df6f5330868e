import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

const recorded =
  "As recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.\n";

function collect(dir: string): void {
  gitIn(dir, "reflog", "expire", "--expire=all", "--all");
  gitIn(dir, "gc", "--quiet", "--prune=now");
}

test("a deleted branch is reported; it counts as missing only if its originals no longer exist either", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    { branch: "merged", from: "main", files: { m: "1" } },
    { branch: "there", from: "main", files: { t: "1" } },
    { branch: "lost", from: "main", files: { l: "1" } },
    { branch: "main", merge: ["merged"], files: { m: "1" } },
  ]);
  const { source, target } = pair;
  await migrate(target, [
    ...["add", "../lib", "--branches", "*", "--no-originals", ...historyOnly],
  ]);
  const proved = (commits: number) =>
    `${commits} commits with exactly the files of their originals, 0 tags, log and blame of 3 files as in the source.\n`;
  // All originals come from the source, including those of branches.
  expect(await shown(target, ["verify", "lib"])).toBe(
    `0 stdout: @acme/lib: nothing is missing. ${proved(5)}${recorded}`,
  );

  const lost = gitIn(target, "rev-parse", "lib/lost").trim();
  const there = gitIn(target, "rev-parse", "lib/there").slice(0, 12);
  for (const name of ["merged", "there", "lost"])
    gitIn(target, "branch", "--quiet", "-D", `lib/${name}`);
  const held =
    "The branch lib/merged was deleted: other refs contain its commits.\n";
  const loose = (name: string, id: string) =>
    `The branch lib/${name} was deleted: no ref contains its commits, so git will remove them; to keep them: git branch lib/${name} ${id}\n`;
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 0,
    stdout: [
      `@acme/lib: nothing is missing. ${proved(5)}`,
      loose("lost", lost.slice(0, 12)),
      held,
      loose("there", there),
      recorded,
    ].join(""),
    stderr: "",
  });

  collect(target);
  gitIn(source, "branch", "--quiet", "-D", "lost");
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 1,
    stdout: [
      "@acme/lib: 1 finding.\n",
      `  The branch lib/lost was deleted: neither its commits nor their originals exist. To fix it, fetch ${lost} from someone who still has it.\n`,
      held,
      "The branch lib/there was deleted: its commits no longer exist, but their originals do.\n",
      recorded,
    ].join(""),
    stderr: "",
  });
});

test("a branch that the source rewrote, and that was deleted here to sync it again, isn't missing", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    { branch: "f", from: "main", files: { f: "1" } },
  ]);
  const { source, target } = pair;
  await migrate(target, ["add", "../lib", "--branches", "f", ...historyOnly]);
  gitIn(source, "switch", "--quiet", "f");
  gitIn(source, "commit", "--quiet", "--amend", "--message", "other");
  gitIn(target, "branch", "--quiet", "-D", "lib/f");
  expect(await migrate(target, ["sync", "lib"])).toMatchObject({ code: 0 });
  collect(source);
  collect(target);
  expect(await shown(target, ["verify", "lib"]))
    .toBe(`0 stdout: @acme/lib: nothing is missing. 2 commits with exactly the files of their originals, 0 tags, log and blame of 2 files as in the source.
1 commit no longer exists: the source rewrote it, or its branch was deleted here.
${recorded}`);
});

test("a shallow clone is refused, because commits that it lacks aren't missing", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    { files: { a: "1" } },
  ]);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  const clone = `${pair.dir}/clone`;
  gitIn(
    pair.dir,
    ...["clone", "--quiet", "--depth=1", `file://${pair.target}`, clone],
  );
  expect(await migrate(clone, ["verify", "lib"])).toMatchObject({
    code: 3,
    stderr:
      "migrate-repo: the workspace is a shallow clone: a migration needs its whole history\nhint: fetch the rest first: git fetch --unshallow\n",
  });
});
