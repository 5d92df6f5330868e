import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  gitIn,
  gitTestEnv,
  startFakeGitHub,
  writePullRefs,
  type CommitSpec,
  type FakeGitHub,
  type FakeRepository,
} from "@skein/testing";
import {
  buildPair,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  type Pair,
} from "../migrate.test.kit.js";

const SOURCE: readonly CommitSpec[] = [
  { files: { ...libFiles, "package-lock.json": "{}\n", "docs/a.md": "a\n" } },
  { branch: "fork-fix", from: "main", files: { "index.js": "fixed\n" } },
  { branch: "own", from: "main", files: { "own.js": "1\n" } },
  { branch: "gone", from: "main", files: { "gone.js": "1\n" } },
  {
    branch: "leak",
    from: "main",
    files: {
      ".npmrc": `//registry.npmjs.org/:_authToken=npm_${"a1B2".repeat(9)}\n`,
    },
  },
  { branch: "clash", from: "main", files: { "index.js": "theirs\n" } },
  { branch: "docs", from: "main", files: { "docs/a.md": "b\n" } },
  {
    branch: "main",
    files: { "index.js": "module.exports = 2;\n", "later.js": "1\n" },
  },
  {
    branch: "fork-fix",
    files: { "later.js": "1\n", "index.js": "fixed\n" },
    merge: ["main"],
    message: "Merge main",
  },
];

interface Stage extends AsyncDisposable {
  readonly pair: Pair;
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
  readonly env: Readonly<Record<string, string>>;
}

/** Builds a source with pull requests of every kind, on a fake GitHub. */
async function stage(): Promise<Stage> {
  const pair = await buildPair(SOURCE);
  const github = await startFakeGitHub();
  const repository = github.addRepository("octo/lib", { dir: pair.source });
  const add = (
    number: number,
    head: string,
    title: string,
    fork: string | null = "mona/lib",
  ) =>
    github.addPull(repository, {
      number,
      base: "main",
      head,
      title,
      author: "mona",
      headRepository: fork,
    });
  add(3, "fork-fix", "Fix \u001b[31mthe\u001b[0m export");
  add(4, "own", "Add own", "octo/lib");
  add(5, "gone", "Add gone", null);
  add(6, "leak", "Settings");
  add(7, "clash", "Other export");
  gitIn(pair.source, "update-ref", "-d", "refs/pull/5/head");
  gitIn(
    pair.source,
    "branch",
    "--quiet",
    "-D",
    "fork-fix",
    "gone",
    "leak",
    "clash",
  );
  return {
    pair,
    github,
    repository,
    env: { GITHUB_API_URL: github.url },
    async [Symbol.asyncDispose]() {
      await github[Symbol.asyncDispose]();
      await pair[Symbol.asyncDispose]();
    },
  };
}

const add = ["add", "../lib", ...historyOnly, "--github", "octo/lib"];

test("--prs lists the open pull requests and changes nothing else", async () => {
  await using it = await stage();
  const { code, stdout } = await migrate(
    it.pair.target,
    [...add, "--prs", "--dry-run"],
    it,
  );
  expect(code).toBe(0);
  expect(stdout.slice(stdout.indexOf("  pull requests")))
    .toMatchInlineSnapshot(`
   "  pull requests 5 open
       #3 Fix \\u001b[31mthe\\u001b[0m export (mona, a deleted fork:fork-fix)
       #4 Add own (mona, octo:own)
       #5 Add gone (mona, a deleted fork:gone) cannot be transplanted: its head was deleted
       #6 Settings (mona, a deleted fork:leak)
       #7 Other export (mona, a deleted fork:clash)
       bring their branches with --transplant
   warning: 2 branches of the source are not migrated: docs, own
   hint: migrate them with --branches '*'
   "
  `);
});

test("--transplant recreates each branch on the grafted history, or reports why it can't", async () => {
  await using it = await stage();
  const { target, source } = it.pair;
  const { code, stdout } = await migrate(target, [...add, "--transplant"], it);
  expect(code).toBe(0);
  expect(stdout.slice(stdout.indexOf("Pull requests of")))
    .toMatchInlineSnapshot(`
   "Pull requests of octo/lib: 5 open, 3 transplanted.
     #3 Fix \\u001b[31mthe\\u001b[0m export (mona, a deleted fork:fork-fix): lib/pull/3, 2 commits; merges cleanly
     #4 Add own (mona, octo:own): lib/pull/4, 1 commit; merges cleanly
     #5 Add gone (mona, a deleted fork:gone): not transplanted: its head was deleted, and the source keeps no refs/pull of it; ask its author for the branch
     #6 Settings (mona, a deleted fork:leak): not transplanted: the source's history contains 1 credential: .npmrc:1 (npm access token, commit fdb74d3bc6); revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets
     #7 Other export (mona, a deleted fork:clash): lib/pull/7, 1 commit; conflicts in packages/lib/index.js
   To continue with one: git switch lib/pull/3, then: git merge main
   To push them: git push origin 'refs/heads/lib/pull/*'
   "
  `);
  expect(gitIn(target, "branch", "--format=%(refname:short)")).toBe(
    "lib/pull/3\nlib/pull/4\nlib/pull/7\nmain\n",
  );
  const show = (dir: string, range: string) =>
    gitIn(
      dir,
      "log",
      "--topo-order",
      "--format=%s|%an|%ae|%ad|%cn|%cd|%P",
      "--date=raw",
      range,
    ).replace(/[0-9a-f]{40}/g, "ID");
  expect(show(target, "main..lib/pull/3")).toBe(
    show(source, "main..refs/pull/3/head"),
  );
  expect(gitIn(target, "rev-parse", "lib/pull/3:packages/lib")).toBe(
    gitIn(source, "rev-parse", "refs/pull/3/head^{tree}"),
  );
  expect(gitIn(target, "rev-parse", "refs/migrate/@acme/lib/pull/3")).toBe(
    gitIn(source, "rev-parse", "refs/pull/3/head"),
  );
  gitIn(target, "merge", "--quiet", "--no-edit", "lib/pull/3");
  expect(gitIn(target, "show", "HEAD:packages/lib/index.js")).toBe("fixed\n");
  expect(gitIn(target, "status", "--porcelain")).toBe("");
  expect((await migrate(target, ["verify", "lib"])).code).toBe(0);
});

test("undo removes the branches of pull requests, except those that someone works on", async () => {
  await using it = await stage();
  const { target } = it.pair;
  gitIn(target, "restore", ".");
  await migrate(target, [...add, "--transplant"], it);
  gitIn(target, "switch", "--quiet", "lib/pull/4");
  gitIn(target, "commit", "--quiet", "--allow-empty", "--message", "mine");
  gitIn(target, "switch", "--quiet", "main");
  expect(await migrate(target, ["undo", "lib"], it)).toMatchObject({ code: 0 });
  expect(gitIn(target, "branch", "--format=%(refname:short)")).toBe(
    "lib/pull/4\nmain\n",
  );
});

test("a later sync adds new pull requests and updates moved ones, and doesn't touch branches that someone works on", async () => {
  await using it = await stage();
  const { target, source } = it.pair;
  await migrate(target, [...add, "--transplant"], it);
  const pull = (number: number) =>
    it.repository.pulls.find((one) => one.number === number);
  const [fix, own, clash] = [pull(3), pull(4), pull(7)];
  if (!fix || !own || !clash) throw new Error("the stage has them");
  const push = async (branch: string, file: string) => {
    gitIn(source, "switch", "--quiet", branch);
    await writeFile(join(source, file), "more\n");
    gitIn(source, "add", file);
    gitIn(source, "commit", "--quiet", "--message", `more ${file}`);
    gitIn(source, "switch", "--quiet", "main");
    return gitIn(source, "rev-parse", branch).trim();
  };
  own.headSha = await push("own", "own.js");
  writePullRefs(it.repository, own);
  gitIn(source, "branch", "clash", clash.headSha);
  clash.headSha = await push("clash", "b.js");
  writePullRefs(it.repository, clash);
  fix.state = "closed";
  it.github.addPull(it.repository, {
    number: 8,
    base: "main",
    head: "docs",
    title: "Docs",
  });
  gitIn(target, "switch", "--quiet", "lib/pull/7");
  gitIn(target, "commit", "--quiet", "--allow-empty", "--message", "mine");
  gitIn(target, "switch", "--quiet", "main");
  const before = await fingerprint(target);
  const listed = await migrate(
    target,
    ["sync", "lib", "--prs", "--github", "octo/lib"],
    it,
  );
  expect(listed.stdout).toContain("2 can be transplanted with --transplant.");
  expect(await fingerprint(target)).toBe(before);
  const main = gitIn(target, "rev-parse", "main");
  const { code, stdout } = await migrate(
    target,
    ["sync", "lib", "--transplant"],
    it,
  );
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
   "@acme/lib is up to date with its source.
   Pull requests of octo/lib: 5 open, 2 transplanted.
     #4 Add own (mona, octo:own): lib/pull/4, 2 commits, moved on; merges cleanly
     #5 Add gone (mona, a deleted fork:gone): not transplanted: its head was deleted, and the source keeps no refs/pull of it; ask its author for the branch
     #6 Settings (mona, a deleted fork:leak): not transplanted: the source's history contains 1 credential: .npmrc:1 (npm access token, commit fdb74d3bc6); revoke them first: everyone who can read the workspace could read them; then continue with --allow secrets
     #7 Other export (mona, a deleted fork:clash): not touched: lib/pull/7 is checked out, or has other commits
     #8 Docs (octocat, octo:docs): lib/pull/8, 1 commit; merges cleanly
     #3: closed in the source since; lib/pull/3 is unchanged
   To continue with one: git switch lib/pull/4, then: git merge main
   To push them: git push origin 'refs/heads/lib/pull/*'
   "
  `);
  expect(gitIn(target, "rev-parse", "main")).toBe(main);
  expect(gitIn(target, "log", "-1", "--format=%s", "lib/pull/4")).toBe(
    "more own.js\n",
  );
  expect(gitIn(target, "log", "-1", "--format=%s", "lib/pull/7")).toBe(
    "mine\n",
  );
  const again = await migrate(target, ["sync", "lib", "--transplant"], it);
  expect(again.stdout).toContain(
    "#4 Add own (mona, octo:own): lib/pull/4, as before\n",
  );
});

test("a pull request that git rejects doesn't block the others", async () => {
  await using it = await stage();
  const { source, target } = it.pair;
  const tree = gitIn(source, "rev-parse", "HEAD^{tree}").trim();
  // A folder with the name `.git`, written byte by byte, because no git command would write it.
  const evil = execFileSync(
    "git",
    ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
    {
      cwd: source,
      env: gitTestEnv,
      input: Buffer.concat([
        Buffer.from("40000 .git\0"),
        Buffer.from(tree, "hex"),
      ]),
      encoding: "utf8",
    },
  ).trim();
  const commit = gitIn(source, "commit-tree", "-p", "HEAD", "-m", "x", evil);
  gitIn(source, "branch", "evil", commit.trim());
  it.github.addPull(it.repository, {
    number: 9,
    base: "main",
    head: "evil",
    title: "Free coffee",
  });
  gitIn(source, "branch", "-D", "evil");
  const { code, stdout } = await migrate(target, [...add, "--transplant"], it);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /#9 Free coffee .*: not transplanted: git rejects it: .*hasDotgit/,
  );
  expect(stdout).toContain("6 open, 3 transplanted.");
});

test.each([
  [
    ["--transplant", "--history", "squash", "--github", "octo/lib"],
    "pull requests can be transplanted only onto a grafted history, not with --history squash",
  ],
  [
    ["--prs"],
    "the source's address does not show which repository on GitHub has its pull requests",
  ],
  [["--prs", "--github", "octo"], '"octo" is not a repository on GitHub'],
])("is refused before anything is done: %j", async (options, sentence) => {
  await using pair = await buildPair([{ files: libFiles }]);
  const before = await fingerprint(pair.target);
  const { code, stderr } = await migrate(pair.target, [
    "add",
    "../lib",
    ...options,
  ]);
  expect({ code, stderr: stderr.split("\n")[0] }).toEqual({
    code: 2,
    stderr: `migrate-repo: ${sentence}`,
  });
  expect(await fingerprint(pair.target)).toBe(before);
});

const gone = {
  operation: "GET /repos/{owner}/{repo}/pulls",
  times: 9,
  fault: { kind: "status", status: 404 },
} as const;

test("if GitHub doesn't answer, nothing is done", async () => {
  await using it = await stage();
  it.github.fail(gone);
  const before = await fingerprint(it.pair.target);
  const { code } = await migrate(it.pair.target, [...add, "--transplant"], it);
  expect(code).toBe(3);
  expect(await fingerprint(it.pair.target)).toBe(before);
});

test("if GitHub fails after the landing, the report is still printed", async () => {
  await using it = await stage();
  const { code, stdout, stderr } = await migrate(
    it.pair.target,
    [...add, "--transplant"],
    { ...it, checkpoint: () => it.github.fail(gone) },
  );
  expect(code).toBe(3);
  expect(stdout).toContain("\nMigrated @acme/lib in ");
  expect(stderr).toMatch(
    /^migrate-repo: @acme\/lib is migrated, but its pull requests are not: .*\nhint: .*then: migrate-repo sync @acme\/lib --transplant\n$/,
  );
});

test("in a batch, such a failure counts as migrated with a follow-up, and the batch fails", async () => {
  await using it = await stage();
  const entry = {
    source: "../lib",
    register: false,
    transplant: true,
    github: "octo/lib",
  };
  await writeFile(
    join(it.pair.target, "migrations.json"),
    JSON.stringify({ version: 1, repositories: [entry] }),
  );
  const { code, stdout, stderr } = await migrate(it.pair.target, ["apply"], {
    ...it,
    checkpoint: () => it.github.fail(gone),
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "../lib: migrated\n" });
  expect(stdout).toContain(
    "\n    @acme/lib is migrated, but its pull requests are not: ",
  );
});
