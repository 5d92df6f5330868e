import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  FINE,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
  shown,
} from "../migrate.test.kit.js";

const add = ["add", "../lib", ...historyOnly];

async function commit(
  dir: string,
  path: string,
  content: string,
  message: string,
): Promise<void> {
  await writeFile(join(dir, path), content);
  gitIn(dir, "add", "--all");
  gitIn(dir, "commit", "--quiet", "--message", message);
}

/** Builds a migrated library whose source and copy have both moved on. */
async function movedOn(there: string, here: string): Promise<Pair> {
  const pair = await buildPair([{ files: libFiles, tags: ["v1.0.0"] }]);
  expect(await migrate(pair.target, add)).toMatchObject({ code: 0 });
  await commit(pair.source, "index.js", there, "fix: there");
  gitIn(pair.source, "tag", "-a", "v1.1.0", "-m", "v1.1.0\n\nNotes.");
  await commit(pair.target, "packages/lib/index.js", here, "local");
  return pair;
}

test("a sync without new commits reports that and writes nothing", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  await migrate(pair.target, add);
  const before = await fingerprint(pair.target);
  expect(await shown(pair.target, ["sync", "lib"])).toBe(
    "0 stdout: @acme/lib is up to date with its source.\n",
  );
  expect(await fingerprint(pair.target)).toBe(before);
});

test("a new tag on an old commit is added once, without a merge", async () => {
  await using pair = await buildPair([{ files: libFiles, tags: ["v1.0.0"] }]);
  await migrate(pair.target, add);
  const head = gitIn(pair.target, "rev-parse", "HEAD");
  gitIn(pair.source, "tag", "late", "v1.0.0");
  expect((await migrate(pair.target, ["sync", "lib"])).stdout).toBe(
    `@acme/lib: 0 new commits and 1 new tag of main.\nSynced @acme/lib at ${head.slice(0, 12)}: every new commit has exactly the files of its original.\n`,
  );
  expect(gitIn(pair.target, "rev-parse", "HEAD")).toBe(head);
  expect(gitIn(pair.target, "tag")).toBe("@acme/lib@1.0.0\n@acme/lib@late\n");
  expect((await migrate(pair.target, ["sync", "lib"])).stdout).toBe(
    "@acme/lib is up to date with its source.\n",
  );
});

test("new commits and tags are added by an ordinary merge, with the ids of a complete graft", async () => {
  await using pair = await buildPair([{ files: libFiles, tags: ["v1.0.0"] }]);
  await migrate(pair.target, add);
  const start = gitIn(pair.target, "rev-parse", "HEAD^");
  await commit(pair.source, "new.js", "1", "feat: new");
  gitIn(pair.source, "tag", "-a", "v1.1.0", "-m", "v1.1.0\n\nNotes.");
  await commit(pair.target, "packages/app/x.js", "1", "local");
  const before = await fingerprint(pair.target);
  const dry = await migrate(pair.target, ["sync", "@acme/lib", "--dry-run"]);
  expect(dry).toEqual({
    code: 0,
    stdout: "@acme/lib: 1 new commit and 1 new tag of main.\n",
    stderr: "",
  });
  expect(await fingerprint(pair.target)).toBe(before);
  expect(await migrate(pair.target, ["sync", "@acme/lib"])).toMatchObject(FINE);
  const synced = gitIn(pair.target, "rev-parse", "HEAD^2");
  expect(gitIn(pair.target, "log", "--format=%s", "--", "packages/lib")).toBe(
    "feat: new\ncommit 1\n",
  );
  expect(
    gitIn(
      pair.target,
      "for-each-ref",
      "--format=%(objecttype) %(contents)",
      "refs/tags/@acme/lib@1.1.0",
    ),
  ).toBe("tag v1.1.0\n\nNotes.\n\n");
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("");
  expect(await shown(pair.target, ["verify", "lib"]))
    .toBe(`0 stdout: @acme/lib: nothing is missing. 2 commits with exactly the files of their originals, 2 tags, log and blame of 3 files as in the source.
As recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.
`);
  // A new migration from the start has the same ids.
  gitIn(pair.target, "checkout", "--quiet", "-b", "again", start.trim());
  for (const ref of gitIn(
    pair.target,
    "for-each-ref",
    "--format=%(refname)",
    "refs/migrate",
    "refs/tags",
  )
    .trim()
    .split("\n"))
    gitIn(pair.target, "update-ref", "-d", ref);
  await migrate(pair.target, add);
  expect(gitIn(pair.target, "rev-parse", "HEAD^2")).toBe(synced);
});

test("a conflict is left as an ordinary merge; continue commits it", async () => {
  await using pair = await movedOn("there\n", "here\n");
  expect(await shown(pair.target, ["sync", "lib"])).toBe(
    "1 stdout: @acme/lib: 1 new commit and 1 new tag of main.\nconflict: packages/lib/index.js\n stderr: migrate-repo: the merge has 1 conflict; it is in your working tree\nhint: resolve them, `git add` them, then: migrate-repo continue; or roll everything back: migrate-repo abort\n",
  );
  expect(gitIn(pair.target, "status", "--porcelain")).toBe(
    "UU packages/lib/index.js\n",
  );
  expect(await shown(pair.target, ["continue"])).toBe(
    "1 stderr: migrate-repo: conflicts remain in packages/lib/index.js\nhint: resolve them, `git add` them, then: migrate-repo continue; or: migrate-repo abort\n",
  );
  await writeFile(join(pair.target, "packages/lib/index.js"), "both\n");
  gitIn(pair.target, "add", "--all");
  expect(await shown(pair.target, ["continue"])).toBe(
    "0 stdout: Finished: the merge is committed, and the record is updated.\n",
  );
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("");
  expect(gitIn(pair.target, "tag")).toBe("@acme/lib@1.0.0\n@acme/lib@1.1.0\n");
  const tip = gitIn(pair.target, "rev-parse", "HEAD^2").slice(0, 12);
  expect(await migrate(pair.target, ["sync", "lib"])).toMatchObject({
    stdout: `@acme/lib is up to date with its source.
1 file differs from the source's main (${tip}), because it was changed here: packages/lib/index.js.
`,
  });
});

test("abort keeps other staged and unstaged changes", async () => {
  await using pair = await movedOn("there\n", "here\n");
  const before = gitIn(pair.target, "rev-parse", "HEAD");
  await migrate(pair.target, ["sync", "lib"]);
  for (const [path, text] of [
    ["new.js", "staged\n"],
    ["package.json", "{}\n"],
  ] as const) {
    await writeFile(join(pair.target, path), text);
    gitIn(pair.target, "add", path);
  }
  await writeFile(join(pair.target, "new.js"), "unstaged\n");
  await writeFile(join(pair.target, "packages/lib/index.js"), "half-way\n");
  expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
  expect(gitIn(pair.target, "status", "--porcelain")).toBe(
    "AM new.js\nM  package.json\n",
  );
  expect(gitIn(pair.target, "show", ":new.js")).toBe("staged\n");
  expect(gitIn(pair.target, "rev-parse", "HEAD")).toBe(before);
});

test("abort removes only files that a killed git merge wrote", async () => {
  await using pair = await movedOn("there\n", "here\n");
  await commit(pair.source, "more.js", "more\n", "feat: more");
  await migrate(pair.target, ["sync", "lib"]);
  // Git writes the files first, then the index, then MERGE_HEAD.
  gitIn(pair.target, "merge", "--quit");
  gitIn(pair.target, "read-tree", "HEAD");
  await writeFile(join(pair.target, "mine.js"), "mine\n");
  expect(gitIn(pair.target, "status", "--porcelain")).toBe(
    " M packages/lib/index.js\n?? mine.js\n?? packages/lib/more.js\n",
  );
  expect((await migrate(pair.target, ["abort"])).code).toBe(0);
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("?? mine.js\n");
});

test("abort rolls a conflicting sync back", async () => {
  await using pair = await movedOn("there\n", "here\n");
  const refs = gitIn(pair.target, "for-each-ref");
  const files = gitIn(pair.target, "ls-files", "--stage");
  await migrate(pair.target, ["sync", "lib"]);
  expect(await migrate(pair.target, ["abort"])).toMatchObject(FINE);
  expect(gitIn(pair.target, "for-each-ref")).toBe(refs);
  expect(gitIn(pair.target, "ls-files", "--stage")).toBe(files);
  expect(gitIn(pair.target, "status", "--porcelain", "--ignored")).toBe("");
});

test("a rewritten branch of the source is reported, and merged anyway", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    { files: { a: "1" } },
  ]);
  await migrate(pair.target, add);
  gitIn(pair.source, "reset", "--quiet", "--hard", "HEAD^");
  await commit(pair.source, "b", "1", "feat: other");
  const { code, stdout } = await migrate(pair.target, ["sync", "lib"]);
  expect(code).toBe(0);
  expect(stdout).toContain("warning: the source's branch was rewritten");
  expect(gitIn(pair.target, "ls-files", "packages/lib")).toBe(
    "packages/lib/a\npackages/lib/b\npackages/lib/index.js\npackages/lib/package.json\n",
  );
});

test("verify notices a squash of the import and a moved tag", async () => {
  await using pair = await buildPair([{ files: libFiles, tags: ["v1.0.0"] }]);
  await migrate(pair.target, add);
  gitIn(pair.target, "tag", "--force", "@acme/lib@1.0.0", "HEAD");
  gitIn(pair.target, "reset", "--quiet", "--soft", "HEAD^");
  gitIn(pair.target, "commit", "--quiet", "--message", "squashed");
  const { code, stdout } = await migrate(pair.target, "verify packages/lib");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^@acme\/lib: 2 findings\.\n {2}The migrated history \(\w{12}\) is not in this branch: its merge was squashed or rebased\..*\n {2}The tag refs\/tags\/@acme\/lib@1\.0\.0 was moved to \w{12}\.\nAs recorded: the packed files of 1 package, 0 resolutions of yarn\.lock; no other resolution has changed\.\n$/,
  );
});
