import { spawnSync } from "node:child_process";
import { mkdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, gitTestEnv } from "@skein/testing";
import {
  buildPair,
  FINE,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
  shown,
  workspaceFiles,
} from "../migrate.test.kit.js";
import { openJournal } from "./journal.js";

const kit = new URL("../migrate.test.kit.js", import.meta.url).href;

/**
 * A process that kills itself before a step of the landing. Its git is killed first, as in a power failure: nothing is
 * left to remove the locks.
 */
const KILLED = `
  import { spawnSync } from "node:child_process";
  import { migrate } from ${JSON.stringify(kit)};
  const [step, ...argv] = process.argv.slice(1);
  await migrate(process.cwd(), argv, {
    checkpoint: (at) => {
      if (at !== step) return;
      spawnSync("pkill", ["-KILL", "-P", String(process.pid)]);
      process.kill(process.pid, "SIGKILL");
    },
  });
`;

/** The same process, but only git is killed, as on a system that is out of memory. */
const GIT_KILLED = KILLED.replace('process.kill(process.pid, "SIGKILL");', "")
  .replace("await migrate", "process.exitCode = (await migrate")
  .replace(/\);\s*$/, ")).code;\n");

function addAndKill(
  pair: Pair,
  step: string,
  options: readonly string[] = historyOnly,
): void {
  const { signal } = run(pair, KILLED, step, ["add", "../lib", ...options]);
  expect(signal).toBe("SIGKILL");
}

function run(
  pair: Pair,
  program: string,
  step: string,
  argv: readonly string[],
) {
  return spawnSync(
    "node",
    ["--input-type=module", "--eval", program, step, ...argv],
    { cwd: pair.target, env: gitTestEnv },
  );
}

const source = [
  { files: libFiles, tags: ["v1.0.0"] },
  { files: { "lib/deep.js": "1" } },
];

/**
 * Returns the user's state: refs, index, files as git sees them. The record names a folder of the test, so only its
 * existence counts.
 */
const stateOf = (dir: string) => ({
  head: gitIn(dir, "symbolic-ref", "HEAD"),
  refs: gitIn(dir, "for-each-ref").replace(/.*(?=\t.*\/map$)/m, ""),
  index: gitIn(dir, "ls-files", "--stage"),
  status: gitIn(dir, "status", "--porcelain", "--ignored"),
});

const STEPS = ["objects", "prepare", "lock", "files", "refs", "index", "done"];

test.each(STEPS)(
  "killed before %s: abort restores the repository bit by bit, continue finishes it",
  async (step) => {
    await using pair = await buildPair(source);
    const before = await fingerprint(pair.target);
    const stateBefore = stateOf(pair.target);

    addAndKill(pair, step);
    const refused = await migrate(pair.target, ["add", "../lib"]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("has not finished");
    expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
    expect(stateOf(pair.target)).toEqual(stateBefore);
    // The reflog records a landing that was rolled back; nothing else may differ.
    if (step !== "index" && step !== "done")
      expect(await fingerprint(pair.target)).toBe(before);
    // Objects that the reflog names stay.
    expect(gitIn(pair.target, "fsck", "--strict", "--no-dangling")).toBe("");

    addAndKill(pair, step);
    expect(await migrate(pair.target, ["continue"])).toMatchObject(FINE);
    expect(stateOf(pair.target)).toMatchObject({
      refs: expect.stringContaining("refs/tags/@acme/lib@1.0.0") as unknown,
      status: "",
    });
    expect(
      gitIn(pair.target, "log", "--format=%s", "packages/lib/index.js"),
    ).toBe("commit 1\n");
    expect(gitIn(pair.target, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(await migrate(pair.target, ["abort"])).toMatchObject({ code: 2 });
  },
);

test("killed while git moves the refs: abort and continue detect which have moved", async () => {
  await using pair = await buildPair(source);
  const stateBefore = stateOf(pair.target);
  const killAmongRefs = async () => {
    addAndKill(pair, "refs");
    // Git updates the refs one by one.
    const main = join(pair.target, ".git/refs/heads/main");
    await rename(`${main}.lock`, main);
  };
  await killAmongRefs();
  expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
  expect(stateOf(pair.target)).toEqual(stateBefore);

  await killAmongRefs();
  expect(await migrate(pair.target, ["continue"])).toMatchObject(FINE);
  const finished = stateOf(pair.target);
  expect(finished.status).toBe("");
  await migrate(pair.target, ["undo", "lib"]);
  expect(stateOf(pair.target)).toEqual(stateBefore);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  expect(stateOf(pair.target).refs.replace(/^\S+/gm, "")).toBe(
    finished.refs.replace(/^\S+/gm, ""),
  );
});

test("if only git is killed, its locks are removed and the landing is rolled back", async () => {
  await using pair = await buildPair(source);
  const before = await fingerprint(pair.target);
  expect(
    run(pair, GIT_KILLED, "refs", ["add", "../lib", ...historyOnly]).status,
  ).toBe(3);
  expect(await fingerprint(pair.target)).toBe(before);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  const added = stateOf(pair.target);
  expect(run(pair, GIT_KILLED, "refs", ["undo", "lib"]).status).toBe(3);
  expect(stateOf(pair.target)).toEqual(added);
  expect(await migrate(pair.target, ["undo", "lib"])).toMatchObject(FINE);
});

test("a file whose times changed, but not its content, counts as unchanged, before and after a landing", async () => {
  const mailmap = "Ada <ada@example.com> <ada@home.example>\n";
  await using pair = await buildPair(
    [{ files: { ...libFiles, ".mailmap": mailmap } }],
    [{ files: { ...workspaceFiles, ".mailmap": "" } }],
  );
  const restore = () => utimes(join(pair.target, ".mailmap"), 0, 0);
  await restore();
  addAndKill(pair, "refs", ["--no-register"]);
  await utimes(join(pair.target, "packages/lib/index.js"), 0, 0);
  await restore();
  expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
  await restore();
  expect(
    await migrate(pair.target, ["add", "../lib", "--no-register"]),
  ).toMatchObject({ code: 0 });
  expect(gitIn(pair.target, "show", "HEAD:.mailmap")).toBe(mailmap);
});

test("abort keeps edits that were made after the kill", async () => {
  await using pair = await buildPair(source);
  addAndKill(pair, "refs");
  await writeFile(join(pair.target, "packages/lib/index.js"), "precious\n");
  expect(await shown(pair.target, ["abort"])).toBe(
    "3 stderr: migrate-repo: aborting would lose changes made since: packages/lib/index.js\nhint: finish with `migrate-repo continue`, or move those files away first\n",
  );
  expect(await migrate(pair.target, ["continue"])).toMatchObject({ code: 0 });
  expect(gitIn(pair.target, "status", "--porcelain")).toBe(
    " M packages/lib/index.js\n",
  );
});

test("killed before the landing: nothing has changed; abort removes temporary files, continue repeats the migration", async () => {
  await using pair = await buildPair(source);
  const before = await fingerprint(pair.target);
  const leftBehind = async () => {
    const journal = openJournal(join(pair.target, ".git"));
    await journal.begin({
      version: 1,
      name: "../lib",
      pid: 1,
      argv: ["add", "../lib", ...historyOnly],
      quarantine: undefined,
      stage: { kind: "building" },
    });
    await mkdir(join(journal.folder, "quarantine-x"));
  };
  await leftBehind();
  expect(await migrate(pair.target, ["abort"])).toMatchObject({ code: 0 });
  expect(await fingerprint(pair.target)).toBe(before);
  await leftBehind();
  expect(await migrate(pair.target, ["continue"])).toMatchObject({ code: 0 });
  expect(gitIn(pair.target, "tag")).toBe("@acme/lib@1.0.0\n");
});

test("outside of a repository, the message is for people", async () => {
  await using pair = await buildPair(source);
  expect(await shown(pair.dir, ["add", "./lib"])).toBe(
    `3 stderr: migrate-repo: ${pair.dir} is not in a git repository\nhint: run it in the workspace that will receive the repository\n`,
  );
});

test("killed before its journal had its final name: the next command removes the file", async () => {
  await using pair = await buildPair(source);
  const before = await fingerprint(pair.target);
  const folder = join(pair.target, ".git/skein-migrate");
  // The number is above the largest process id of Linux.
  await mkdir(folder);
  await writeFile(join(folder, "journal.json.begin-4194305"), "{");
  expect(await migrate(pair.target, ["abort"])).toMatchObject({ code: 2 });
  expect(await fingerprint(pair.target)).toBe(before);
});
