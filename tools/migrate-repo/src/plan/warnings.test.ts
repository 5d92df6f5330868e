import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  workspaceFiles,
} from "../migrate.test.kit.js";

/** Plans a migration. @returns its warnings */
async function warningsOf(
  target: string,
  options: readonly string[],
): Promise<string> {
  const { stdout, stderr } = await migrate(target, [
    ...["add", "../lib", "--dry-run", ...options, ...historyOnly],
  ]);
  return (
    stderr +
    stdout
      .split("\n")
      .filter((line) => /^(?:warning|hint): /.test(line))
      .join("\n")
  );
}

test("a plan names what isn't migrated, and what needs more than files", async () => {
  await using pair = await buildPair(
    [
      {
        files: {
          ...libFiles,
          "examples/demo/package.json": json({ name: "@acme/demo" }),
        },
      },
      { branch: "old", from: "main", files: { old: "1" }, tags: ["v0.9.0"] },
    ],
    [{ files: { "README.md": "# no workspace\n" } }],
  );
  const head = gitIn(pair.source, "rev-parse", "HEAD").trim();
  gitIn(
    pair.source,
    ...["update-index", "--add", "--cacheinfo"],
    `160000,${head},vendor/s`,
  );
  gitIn(pair.source, "commit", "--quiet", "--message", "vendor/s");
  expect(await warningsOf(pair.target, ["--allow", "submodules"]))
    .toMatchInlineSnapshot(`
"warning: 1 submodule is migrated: packages/lib/vendor/s
hint: check them out with: git submodule update --init
warning: 1 branch of the source is not migrated: old
hint: migrate them with --branches '*'
warning: 1 tag of the source is not migrated: not reachable from the migrated commits
hint: migrate them, and the history they need, with --tags all
warning: there is no package.json at the top of the target, so nothing is registered
hint: make it a workspace first with \`yarn init -w\`
warning: the source contains other packages: @acme/demo; they are migrated inside it
hint: migrate them as separate packages with --only packages/a packages/b"
`);
});

test("a plan counts the tags of packages that stay in the source", async () => {
  await using pair = await buildPair([
    {
      files: {
        "package.json": json({ private: true, workspaces: ["packages/*"] }),
        "packages/a/package.json": json({ name: "@acme/a" }),
        "packages/b/package.json": json({ name: "@acme/b" }),
      },
      tags: ["@acme/a@1.0.0", "@acme/b@1.0.0", "v1.0.0"],
    },
  ]);
  expect(await warningsOf(pair.target, ["--only", "packages/a"]))
    .toMatchInlineSnapshot(`
"warning: 2 tags of the source are not migrated: they belong to other packages, or to the repository as a whole
hint: to get them all, fetch them from the source: git fetch <source> 'refs/tags/*:refs/tags/<name>/*'"
`);
});

test("a plan names files that not every machine can check out, and a folder that git doesn't look at", async () => {
  await using pair = await buildPair(
    [
      {
        files: {
          ...libFiles,
          "a.js": "",
          "A.js": "",
          link: { symlink: "../shared" },
          [`${"deep/".repeat(52)}x.js`]: "",
        },
      },
    ],
    [{ files: { ...workspaceFiles, ".gitignore": "/packages/lib\n" } }],
  );
  const warnings = await warningsOf(pair.target, []);
  expect(warnings.replaceAll(/(?:deep\/)+/g, "deep/…/")).toMatchInlineSnapshot(`
"warning: packages/lib/A.js, packages/lib/a.js differ only by case: on macOS and Windows one of them is lost
hint: rename one of them
warning: 1 symlink points out of the package: packages/lib/link -> ../shared
hint: they are left unchanged; check what they now point to
warning: 1 path is longer than the 260 characters Windows opens: packages/lib/deep/…/x.js
hint: choose a shorter destination, or tell Windows users to set core.longpaths
warning: the workspace ignores "packages/lib" (.gitignore:1:/packages/lib): git would not report new files there
hint: change that rule, or choose a different folder with --to"
`);
});
