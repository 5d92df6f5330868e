import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
} from "../migrate.test.kit.js";

const recorded =
  "As recorded: what npm packs of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.\n";

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
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 0,
    stdout: `@acme/lib: nothing is missing. ${proved(5)}${recorded}`,
    stderr: "",
  });

  const lost = gitIn(target, "rev-parse", "lib/lost").trim();
  const there = gitIn(target, "rev-parse", "lib/there").slice(0, 12);
  for (const name of ["merged", "there", "lost"])
    gitIn(target, "branch", "--quiet", "-D", `lib/${name}`);
  const held =
    "No branch lib/merged any more: its commits are in the history of others.\n";
  const loose = (name: string, id: string) =>
    `No branch lib/${name} any more: nothing holds its commits, and git will collect them; to keep them: git branch lib/${name} ${id}\n`;
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
      `  No branch lib/lost any more: its commits are gone, and so are their originals. Way out: fetch ${lost} from someone who still has it.\n`,
      held,
      "No branch lib/there any more: its commits are gone, and their originals are kept or at the source.\n",
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
  expect(await migrate(target, ["verify", "lib"])).toEqual({
    code: 0,
    stdout: `@acme/lib: nothing is missing. 2 commits with exactly the files of their originals, 0 tags, log and blame of 2 files as in the source.
Here no more: 1 commit of what was rewritten at the source, or deleted here.
${recorded}`,
    stderr: "",
  });
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
