import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

const mono = {
  "package.json": json({ name: "mono", private: true, workspaces: ["pkgs/*"] }),
  "pkgs/a/package.json": json({ name: "@acme/a", version: "1.0.0" }),
  "pkgs/b/package.json": json({ name: "@acme/b", version: "1.0.0" }),
  "fixtures/c/package.json": json({ name: "c" }),
};

test("a source that is a workspace is refused with a list of its packages, and migrated completely by --only auto", async () => {
  await using pair = await buildPair([{ files: mono }]);
  const { target } = pair;
  const before = await fingerprint(target);
  expect(await shown(target, ["add", "../lib"]))
    .toBe(`3 stderr: migrate-repo: the source is a workspace of 2 packages: pkgs/a (@acme/a), pkgs/b (@acme/b)
hint: migrate all of them as separate packages with --only auto, or some with --only PATH..., or everything as one folder with --allow non-package
`);
  expect(await fingerprint(target)).toBe(before);
  expect(
    await migrate(target, ["add", "../lib", "--only", "auto", ...historyOnly]),
  ).toMatchObject({ code: 0 });
  expect(
    gitIn(target, "ls-files", "packages").trim().split("\n").sort(),
  ).toEqual([
    "packages/a/package.json",
    "packages/app/package.json",
    "packages/b/package.json",
  ]);
  // The record names the folders, as if they had been arguments.
  expect(await migrate(target, ["sync", "@acme/b"])).toMatchObject({
    code: 0,
    stdout: "@acme/a is up to date with its source.\n",
  });
});

test.each([
  ["pnpm-workspace.yaml", "packages: ['pkgs/*']\n"],
  ["lerna.json", json({ packages: ["pkgs/*"] })],
])("packages that %s names count, too", async (file, text) => {
  await using pair = await buildPair([
    {
      files: { ...mono, "package.json": json({ private: true }), [file]: text },
    },
  ]);
  expect((await migrate(pair.target, ["add", "../lib"])).stderr).toContain(
    "the source is a workspace of 2 packages: pkgs/a (@acme/a), pkgs/b (@acme/b)",
  );
});

test("a package with its own examples, and everything as one folder, are migrated unchanged", async () => {
  const root = { name: "mono", version: "1.0.0", workspaces: ["pkgs/*"] };
  await using published = await buildPair([
    { files: { ...mono, "package.json": json(root) } },
  ]);
  const argv = ["add", "../lib", ...historyOnly];
  expect(await migrate(published.target, argv)).toMatchObject({ code: 0 });
  await using pair = await buildPair([{ files: mono }]);
  expect(
    await migrate(pair.target, [...argv, "--allow", "non-package"]),
  ).toMatchObject({ code: 0 });
});

test("auto is refused if the source isn't a workspace", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  expect(await shown(pair.target, ["add", "../lib", "--only", "auto"]))
    .toBe(`3 stderr: migrate-repo: --only auto migrates all packages of a workspace, but the source's root lists none
hint: omit --only, or name folders: --only packages/a packages/b
`);
});

/** Commits an empty file that no checkout could hold. @param path as Latin-1 */
function commitPath(dir: string, path: string): void {
  const { status } = spawnSync("git", ["fast-import", "--quiet"], {
    cwd: dir,
    input: Buffer.from(
      `commit refs/heads/main\ncommitter a <a@b> 1767225600 +0000\ndata 1\nm\nfrom refs/heads/main^0\nM 100644 inline ${path}\ndata 0\n\n`,
      "latin1",
    ),
  });
  expect(status).toBe(0);
}

test.each([
  [
    "a path that no file system takes",
    `${"nested/".repeat(700)}f`,
    `migrate-repo: a path of the source is too long to be checked out below the workspace: "packages/lib/${"nested/".repeat(10).slice(0, 67)}..." has 4914 bytes
hint: Linux allows paths of 4095 bytes and names of 255; shorten it in the source, or exclude it with --only
`,
  ],
  [
    "a file name that is not UTF-8",
    "d/caf\u00e9.txt",
    `migrate-repo: 1 file name of the source's branch is not UTF-8: d/caf\uFFFD.txt
hint: rename them in the source (git mv) and commit; older commits may keep such names
`,
  ],
])("%s is refused in one sentence", async (_, path, stderr) => {
  await using pair = await buildPair([{ files: libFiles }]);
  commitPath(pair.source, path);
  const before = await fingerprint(pair.target);
  expect(await migrate(pair.target, ["add", "../lib"])).toEqual({
    code: 3,
    stdout: "",
    stderr,
  });
  expect(await fingerprint(pair.target)).toBe(before);
});
