import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, gitTestEnv } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

test("a history is migrated completely: log of a file, merges, empty commits, tags, a clean workspace", async () => {
  await using pair = await buildPair([
    { files: libFiles, message: "feat: first (#1)", tags: ["v1.0.0"] },
    { branch: "side", from: "main", files: { "side.js": "1" } },
    { branch: "main", files: { "index.js": "module.exports = 2;\n" } },
    { files: { "side.js": "1" }, merge: ["side"], message: "Merge side" },
    { message: "chore: release, empty", tags: ["1.0.1"] },
  ]);
  const { code, stdout, stderr } = await migrate(pair.target, [
    "add",
    "../lib",
    ...historyOnly,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.replaceAll(pair.dir, "DIR")).toMatchInlineSnapshot(`
   "Migrate DIR/lib (main at ae878fd8d3e2)
     package      @acme/lib
     into         packages/lib
     on           main at 1236e478e6df
     history      graft: 5 commits, 3 files
     tags         2: 1.0.1 -> @acme/lib@1.0.1, v1.0.0 -> @acme/lib@1.0.0
   Migrated @acme/lib in 0 ms: 5 commits by 1 author, 1 merge, 2 tags.
     proved       5 commits with exactly the files of their originals
     packed       packages/lib: as in the source
     665b40ce9f04 Migrate lib
   Nothing is pushed. To push: git push origin HEAD 'refs/tags/@acme/lib@*'; the record: git push origin 'refs/migrate/*'
   To go back: migrate-repo undo @acme/lib
   "
  `);
  expect(
    gitIn(pair.target, "log", "--format=%s", "packages/lib/index.js"),
  ).toBe("commit 3\nfeat: first (#1)\n");
  expect(
    gitIn(pair.target, "log", "--format=%s|%an|%ad", "--date=raw", "HEAD^2"),
  ).toBe(gitIn(pair.source, "log", "--format=%s|%an|%ad", "--date=raw"));
  expect(gitIn(pair.target, "rev-parse", "HEAD:packages/lib")).toBe(
    gitIn(pair.source, "rev-parse", "HEAD^{tree}"),
  );
  expect(gitIn(pair.target, "tag")).toBe("@acme/lib@1.0.0\n@acme/lib@1.0.1\n");
  expect(gitIn(pair.target, "status", "--porcelain", "--ignored")).toBe("");
  gitIn(pair.target, "fsck", "--strict");
});

test("the printed command pushes everything that was migrated; a glob without a matching branch is reported", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["v1.0.0"] },
    { branch: "f/one", from: "main", files: { one: "1" } },
    { branch: "f/two", from: "main", files: { two: "1" } },
  ]);
  gitIn(pair.source, "tag", "--annotate", "--message", "2", "v2.0.0", "main");
  gitIn(pair.dir, "init", "--quiet", "--bare", "origin.git");
  gitIn(pair.target, "remote", "add", "origin", "../origin.git");
  const { stdout } = await migrate(pair.target, [
    ...["add", "../lib", "--branches", "f/*", "release/*", ...historyOnly],
  ]);
  expect(stdout).toContain(
    "\nwarning: no branch of the source matches release/*\n",
  );
  expect(stdout).toContain("\n  branches     lib/f/one, lib/f/two\n");
  const command = /^Nothing is pushed\. To push: (.*); the record: (.*)$/m.exec(
    stdout,
  );
  expect(command?.slice(1)).toEqual([
    "git push origin HEAD 'refs/tags/@acme/lib@*' 'refs/heads/lib/f/*'",
    "git push origin 'refs/migrate/*'",
  ]);
  for (const line of command?.slice(1) ?? [])
    execFileSync("sh", ["-c", `${line} 2>&1`], {
      cwd: pair.target,
      env: gitTestEnv,
    });
  const refs = (dir: string) =>
    gitIn(dir, "for-each-ref", "refs/heads", "refs/tags", "refs/migrate");
  expect(refs(join(pair.dir, "origin.git"))).toBe(refs(pair.target));
});

test("after git reset, the hint's command removes the record, and the source can be migrated again", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const add = ["add", "../lib", ...historyOnly, "--tags", "none"];
  const before = gitIn(pair.target, "for-each-ref");
  await migrate(pair.target, add);
  gitIn(pair.target, "reset", "--quiet", "--keep", "HEAD^");
  const { code, stderr } = await migrate(pair.target, add);
  expect(code).toBe(3);
  const command = /first: (git .*)\n/.exec(stderr)?.[1] ?? "exit 9";
  execFileSync("sh", ["-c", command], { cwd: pair.target, env: gitTestEnv });
  expect(gitIn(pair.target, "for-each-ref")).toBe(before);
  expect((await migrate(pair.target, add)).code).toBe(0);
});

test("a second migration of the same source is refused with this reason only", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["v1.0.0", "v1.0.1"] },
  ]);
  const add = ["add", "../lib", ...historyOnly];
  await migrate(pair.target, add);
  expect(await shown(pair.target, add))
    .toBe(`3 stderr: migrate-repo: "@acme/lib" has already been migrated
hint: merge its new commits with: migrate-repo sync @acme/lib; if it was undone with git reset, delete its record first: git for-each-ref --format='delete %(refname)' 'refs/migrate/@acme/lib' | git update-ref --stdin
`);
});

test("refusals with the same hint share it", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["1", "2", "3", "4", "5", "6", "7"] },
  ]);
  for (const name of ["1", "2", "3", "4", "5", "6", "7"])
    gitIn(pair.target, "tag", `@acme/lib@${name}`);
  const { stderr } = await migrate(pair.target, [
    ...["add", "../lib", ...historyOnly],
  ]);
  const line = (tag: number) =>
    `migrate-repo: "refs/tags/@acme/lib@${tag}" already exists; refs/tags/${tag} of the source would overwrite it\n`;
  expect(stderr).toBe(
    `${[1, 2, 3, 4, 5].map(line).join("")}migrate-repo: 2 more like that
hint: rename the new tags with --tag-format '{name}/{tag}', or skip them with --tags none
`,
  );
});

test.each(["lots", "0", "-1", "NaN", ""])(
  "a largest file size of %j is wrong usage: nothing would be refused",
  async (size) => {
    expect(await shown(".", ["add", "../lib", `--max-file-size=${size}`])).toBe(
      `2 stderr: migrate-repo: --max-file-size can't be "${size}"; it takes a number above 0\nhint: \`migrate-repo add --help\` shows its options\n`,
    );
  },
);
