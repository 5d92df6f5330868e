import { rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  FINE,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
  shown,
  workspaceFiles,
} from "../migrate.test.kit.js";
import { killedAt, meanwhile } from "./kill.test.kit.js";

/** A migration that writes a new folder, replaces `.mailmap`, and makes a tag. */
const ADD = ["add", "../lib", ...historyOnly.filter((id) => id !== "mailmap")];
const MAILMAP = "Ada <ada@example.com> <ada@home.example>\n";

const workspace = () =>
  buildPair(
    [{ files: { ...libFiles, ".mailmap": MAILMAP }, tags: ["v1.0.0"] }],
    [{ files: { ...workspaceFiles, ".mailmap": "" } }],
  );

const write = ({ target }: Pair, path: string, text: string) =>
  writeFileSync(join(target, path), text);

function commit(pair: Pair, path = "feature.js"): void {
  write(pair, path, "x\n");
  gitIn(pair.target, "add", path);
  gitIn(pair.target, "commit", "--quiet", "-m", "work");
}

/** Stages one version and leaves another in the working tree. */
function stage(pair: Pair, path: string): void {
  write(pair, path, "staged\n");
  gitIn(pair.target, "add", path);
  write(pair, path, "unstaged\n");
}

/** Removes the locks, as git's message proposes: "remove the file manually to continue". */
function unlock({ target }: Pair): void {
  for (const name of ["index", "HEAD", "refs/heads/main"])
    rmSync(join(target, `.git/${name}.lock`), { force: true });
}

/**
 * Prunes objects as `git gc --prune=now` does. We skip its first step, the reflogs, which fails while refs are locked.
 */
function collectGarbage({ target }: Pair): void {
  gitIn(target, "repack", "-a", "-d", "-q");
  gitIn(target, "prune", "--expire=now");
}

const status = ({ target }: Pair) =>
  gitIn(target, "status", "--porcelain", "--untracked-files=all");

/** Expects that nothing of a landing is left in the git folder, and that no object is missing. */
async function expectTidy({ target }: Pair): Promise<void> {
  const files = await readdir(join(target, ".git"), { recursive: true });
  expect(
    files.filter((file) => /\.lock$|\.keep$|skein-migrate/.test(file)),
  ).toEqual([]);
  expect(gitIn(target, "fsck", "--strict", "--no-dangling")).toBe("");
}

const start = {
  code: 3,
  stdout: expect.stringContaining("Migrate ") as unknown,
};

test.each(["objects", "prepare"])(
  "a commit of the user's before the landing locks (%s): refused, and the commit keeps its file",
  async (step) => {
    await using pair = await workspace();
    const ran = await meanwhile(pair, { step }, ADD, () => commit(pair));
    expect(ran).toMatchObject({
      ...start,
      stderr:
        "migrate-repo: main got new commits in the meantime\nhint: the workspace is as it was; start again\n",
    });
    expect(status(pair)).toBe("");
    expect(gitIn(pair.target, "ls-files", "feature.js")).toBe("feature.js\n");
    await expectTidy(pair);
    expect((await migrate(pair.target, ADD)).code).toBe(0);
  },
);

test.each([
  ["--assume-unchanged", "--no-assume-unchanged"],
  ["--skip-worktree", "--no-skip-worktree"],
])(
  "a file that git doesn't look at (%s) isn't replaced",
  async (flag, without) => {
    await using pair = await workspace();
    gitIn(pair.target, "update-index", flag, ".mailmap");
    write(pair, ".mailmap", "mine\n");
    expect(await migrate(pair.target, ADD)).toMatchObject({
      code: 3,
      stderr:
        "migrate-repo: git does not look at .mailmap (assume-unchanged or skip-worktree), so changes in it would be lost\nhint: let git look at it: git update-index --no-assume-unchanged --no-skip-worktree FILE; the workspace is as it was\n",
    });
    expect(await readFile(join(pair.target, ".mailmap"), "utf8")).toBe(
      "mine\n",
    );
    await expectTidy(pair);
    write(pair, ".mailmap", "");
    gitIn(pair.target, "update-index", without, ".mailmap");
    expect((await migrate(pair.target, ADD)).code).toBe(0);
  },
);

test("files that the user stages during the landing stay staged", async () => {
  await using pair = await workspace();
  const ran = await meanwhile(pair, { step: "objects" }, ADD, () =>
    stage(pair, "feature.js"),
  );
  expect(ran).toMatchObject({
    ...start,
    stderr:
      "migrate-repo: the workspace was changed while the migration was prepared\nhint: commit or stash what you changed, and start again; the workspace is as it was\n",
  });
  expect(status(pair)).toBe("AM feature.js\n");
  expect(gitIn(pair.target, "show", ":feature.js")).toBe("staged\n");
});

test("another branch that the user checks out during the landing isn't overwritten", async () => {
  await using pair = await workspace();
  const ran = await meanwhile(pair, { step: "objects" }, ADD, () =>
    gitIn(pair.target, "switch", "--quiet", "-c", "side"),
  );
  expect(ran).toMatchObject({
    ...start,
    stderr:
      "migrate-repo: main is no longer checked out\nhint: git switch main, and start again; the workspace is as it was\n",
  });
  expect(status(pair)).toBe("");
  expect(gitIn(pair.target, "branch", "--show-current")).toBe("side\n");
});

test("a lock of the index that belongs to another process stays", async () => {
  await using pair = await workspace();
  const lock = join(pair.target, ".git/index.lock");
  const ran = await meanwhile(pair, { step: "prepare" }, ADD, () =>
    writeFileSync(lock, ""),
  );
  expect(ran).toMatchObject({
    ...start,
    stderr: `migrate-repo: another git process has locked the index\nhint: wait for it (if none is running, remove ${lock}), and start again; the workspace is as it was\n`,
  });
  expect(await readFile(lock, "utf8")).toBe("");
  await rm(lock);
  expect(status(pair)).toBe("");
});

test.each(["prepare", "refs"])(
  "git's garbage collection during the landing (%s) takes nothing away",
  async (step) => {
    await using pair = await workspace();
    const ran = await meanwhile(pair, { step }, ADD, () =>
      collectGarbage(pair),
    );
    expect(ran).toMatchObject(FINE);
    expect(status(pair)).toBe("");
    await expectTidy(pair);
    collectGarbage(pair);
    expect(gitIn(pair.target, "count-objects", "-v")).toContain("packs: 1\n");
  },
);

test("the landing detects objects that git removed as garbage before it", async () => {
  await using pair = await workspace();
  await migrate(pair.target, ADD);
  await migrate(pair.target, ["undo", "lib"]);
  // The objects that the undo left still exist, but nothing refers to them. Git doesn't write the same merge again.
  rmSync(join(pair.target, ".git/logs"), { recursive: true });
  const before = gitIn(pair.target, "for-each-ref");
  const ran = await meanwhile(pair, { step: "objects" }, ADD, () =>
    collectGarbage(pair),
  );
  expect(ran).toMatchObject({
    ...start,
    stderr:
      "migrate-repo: git gc has removed objects that the migration needs\nhint: the workspace is as it was; start again\n",
  });
  expect(gitIn(pair.target, "for-each-ref")).toBe(before);
  await expectTidy(pair);
});

test("killed at the start of the landing; the user commits; abort keeps the commit and its file", async () => {
  await using pair = await workspace();
  await killedAt(pair, { step: "objects" }, ADD);
  commit(pair);
  expect(await shown(pair.target, ["continue"])).toBe(
    "3 stderr: migrate-repo: main got new commits in the meantime\nhint: roll back: migrate-repo abort\n",
  );
  expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
  expect(status(pair)).toBe("");
  expect(gitIn(pair.target, "ls-files", "feature.js")).toBe("feature.js\n");
  await expectTidy(pair);
});

test("killed while files are moved; files that the user stages then stay staged after continue and after abort", async () => {
  for (const command of ["continue", "abort"]) {
    await using pair = await workspace();
    await killedAt(pair, { step: "files", nth: 1 }, ADD);
    unlock(pair);
    stage(pair, "feature.js");
    expect(await migrate(pair.target, [command])).toMatchObject(FINE);
    expect(status(pair)).toBe("AM feature.js\n");
    expect(gitIn(pair.target, "tag")).toBe(
      command === "abort" ? "" : "@acme/lib@1.0.0\n",
    );
    await expectTidy(pair);
  }
});

test("killed while files are moved; the user commits everything; abort keeps the whole commit", async () => {
  await using pair = await workspace();
  await killedAt(pair, { step: "refs" }, ADD);
  unlock(pair);
  gitIn(pair.target, "add", "--all");
  gitIn(pair.target, "commit", "--quiet", "-m", "everything");
  expect(await migrate(pair.target, ["abort"])).toEqual({
    code: 0,
    stdout: expect.stringContaining("Aborted: ") as unknown,
    stderr:
      "3 files that you have changed, staged or committed since stay: .mailmap, packages/lib/index.js, packages/lib/package.json\n",
  });
  expect(status(pair)).toBe("");
  expect(gitIn(pair.target, "show", "HEAD:.mailmap")).toBe(MAILMAP);
});

test("killed while files are moved; the user edits a file that is replaced later: continue refuses, abort keeps the edit", async () => {
  await using pair = await workspace();
  await killedAt(pair, { step: "files", nth: 1 }, ADD);
  const isReplaced =
    (await readFile(join(pair.target, ".mailmap"), "utf8")) !== "";
  const edited = isReplaced ? "packages/lib" : ".mailmap";
  const file = isReplaced ? "packages/lib/mine.js" : ".mailmap";
  if (isReplaced) gitIn(pair.target, "init", "--quiet", "packages/lib");
  write(pair, file, "precious\n");
  expect(await migrate(pair.target, ["continue"])).toMatchObject({
    code: 3,
    stderr: `migrate-repo: the workspace was changed while the migration was prepared: ${edited}\nhint: commit or stash what you changed, then: migrate-repo continue; or roll back: migrate-repo abort\n`,
  });
  expect((await migrate(pair.target, ["abort"])).code).toBe(0);
  expect(await readFile(join(pair.target, file), "utf8")).toBe("precious\n");
});

test("killed while files are moved; the user removes them: continue writes them again", async () => {
  await using pair = await workspace();
  await killedAt(pair, { step: "refs" }, ADD);
  unlock(pair);
  gitIn(pair.target, "reset", "--quiet", "--hard");
  gitIn(pair.target, "clean", "--quiet", "-fdx");
  expect(await migrate(pair.target, ["continue"])).toMatchObject(FINE);
  expect(status(pair)).toBe("");
});

test("killed after all moves; the user commits on top: continue finishes, and abort suggests continue", async () => {
  await using pair = await workspace();
  await killedAt(pair, { step: "done" }, ADD);
  commit(pair);
  expect(await shown(pair.target, ["abort"])).toBe(
    "3 stderr: migrate-repo: the migration has landed, and the branch has new commits\nhint: migrate-repo continue\n",
  );
  expect(await migrate(pair.target, ["continue"])).toMatchObject(FINE);
  expect(status(pair)).toBe("");
  expect(gitIn(pair.target, "ls-files", "feature.js")).toBe("feature.js\n");
  await expectTidy(pair);
});

test("killed during the removal of temporary files: the next command reports that nothing is left to do", async () => {
  await using pair = await workspace();
  const killed = () => killedAt(pair, { step: "over" }, ADD);
  await killed();
  const head = gitIn(pair.target, "rev-parse", "HEAD").slice(0, 12);
  expect(await shown(pair.target, ["continue"])).toBe(
    `0 stdout: Finished: @acme/lib is in the workspace, at ${head}.\n`,
  );
  await expectTidy(pair);
  expect((await migrate(pair.target, ["undo", "lib"])).code).toBe(0);
  await killed();
  expect(await shown(pair.target, ["abort"])).toBe(
    "2 stderr: migrate-repo: add had finished: nothing is left to abort\nhint: to undo it: migrate-repo undo @acme/lib\n",
  );
  expect((await migrate(pair.target, ["undo", "lib"])).code).toBe(0);
  await killed();
  // No other command is necessary in between.
  expect((await migrate(pair.target, ["undo", "lib"])).code).toBe(0);
  await expectTidy(pair);
});
