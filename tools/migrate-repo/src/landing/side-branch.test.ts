import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { migrate } from "../migrate.test.kit.js";
import { buildWorlds } from "./campaign-worlds.test.kit.js";
import { killedAt } from "./kill.test.kit.js";

/** Commands of git that work although the index is locked, because they don't write it. */
const BRANCHES = {
  "another branch": ["switch", "--quiet", "-c", "side"],
  "another name": ["branch", "--move", "main", "side"],
};

const CASES = [
  ...["undo", "sync"].flatMap((name) =>
    ["abort", "continue"].map((recovery) => ({
      name,
      recovery,
      has: "another branch" as const,
    })),
  ),
  { name: "sync", recovery: "abort", has: "another name" as const },
];

test("killed before the index; the new commit gets another branch: abort and continue update the index to it", async () => {
  await using worlds = await buildWorlds(false);
  const { pair, commands } = worlds;
  const { target } = pair;
  const idOf = (ref: string) =>
    gitIn(target, "for-each-ref", "--format=%(objectname)", ref);
  for (const { name, recovery, has } of CASES) {
    const command = commands.find((one) => one.name === name);
    if (!command) throw new Error("the command exists");
    await worlds.restore(command);
    const before = idOf("refs/heads/main");
    expect(await killedAt(pair, { step: "index" }, command.argv)).toBe(true);
    const landed = idOf("refs/heads/main");
    gitIn(target, ...BRANCHES[has]);
    const { code } = await migrate(target, [recovery]);
    expect({
      ...{ name, recovery, has, code },
      head: gitIn(target, "symbolic-ref", "HEAD"),
      status: gitIn(target, "status", "--porcelain", "--untracked-files=all"),
      side: idOf("refs/heads/side"),
      main: idOf("refs/heads/main"),
    }).toEqual({
      ...{ name, recovery, has, code: 0 },
      head: "refs/heads/side\n",
      status: "",
      side: landed,
      main:
        has === "another name" ? "" : recovery === "abort" ? before : landed,
    });
    expect(gitIn(target, "fsck", "--strict", "--no-dangling")).toBe("");
  }
});

test("abort and continue in another worktree recover the worktree of the landing", async () => {
  await using worlds = await buildWorlds(false);
  const { pair, commands } = worlds;
  const { target } = pair;
  const other = `${target}-other`;
  const command = commands.find(({ name }) => name === "sync");
  if (!command) throw new Error("the command exists");
  for (const [step, recovery, file] of [
    ["refs", "abort", ""],
    ["index", "abort", ""],
    ["index", "continue", "packages/lib/more.js\n"],
  ] as const) {
    await worlds.restore(command);
    await rm(other, { recursive: true, force: true, maxRetries: 3 });
    gitIn(target, "worktree", "add", "--quiet", "-b", "side", other);
    await killedAt(pair, { step }, command.argv);
    const ran = await migrate(other, [recovery]);
    const locks = await readdir(join(target, ".git"), { recursive: true });
    expect({
      ...{ step, recovery, code: ran.code, stderr: ran.stderr },
      status: gitIn(target, "status", "--porcelain", "--untracked-files=all"),
      other: gitIn(other, "status", "--porcelain", "--untracked-files=all"),
      file: gitIn(target, "ls-files", "packages/lib/more.js"),
      locks: locks.filter((path) => path.endsWith(".lock")),
    }).toEqual({
      ...{ step, recovery, code: 0, stderr: "" },
      ...{ status: "", other: "", file, locks: [] },
    });
  }
});
