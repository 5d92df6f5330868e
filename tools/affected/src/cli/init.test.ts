import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildHistory, gitIn, json, suiteDir, tempDir } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shop } from "./affected.test.kit.js";

const PIN = "1".repeat(40);
const lock = [
  "shop@workspace:.",
  ...["app", "ui", "core", "alone"].map(
    (name) => `@shop/${name}@workspace:packages/${name}`,
  ),
]
  .map(
    (locator) =>
      `"${locator}":\n  version: 0.0.0-use.local\n  resolution: "${locator}"\n  languageName: unknown\n  linkType: soft\n`,
  )
  .join("\n");
const base = {
  ...shop(),
  "yarn.lock": `__metadata:\n  version: 8\n\n${lock}`,
  ".gitignore": "node_modules\n",
  "turbo.json": json({ tasks: { test: { dependsOn: ["^test"] } } }),
};

const room = await suiteDir(afterAll);
let cwd: string;
beforeAll(() => {
  cwd = room;
  buildHistory(cwd, [{ files: base }]);
});

const init = (...args: string[]) =>
  run({ cwd: join(cwd, "packages/app") }, "init", "--pin", PIN, ...args);
const status = () => gitIn(cwd, "status", "--porcelain");

const WRITTEN = ` A .github/workflows/ci.yml
 A .github/workflows/metrics.yml
 A .github/workflows/reporter.yml
 M .gitignore
 M package.json
 A skein.json
`;

test("without consent in a terminal or an option, nothing is written", async () => {
  const dry = await init("--dry-run");
  expect(dry).toMatchObject({ exitCode: 0 });
  expect(dry.stdout).toContain('+    "@skein/affected": "0.1.0",\n');
  expect(await init()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "nothing was written: without a terminal, init cannot ask\nhint: write the files with --yes, or only show them with --dry-run\n",
    ),
  });
  const no = { cwd, isTTY: true, stdin: "no\n" };
  expect(await run(no, "init", "--pin", PIN)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /Write these files\? \[y\/N\] affected: nothing was written\n$/,
    ),
  });
  expect(await init("--check")).toMatchObject({
    exitCode: 1,
    stdout: `package.json: is out of date
skein.json: is missing
.github/workflows/ci.yml: is missing
.github/workflows/reporter.yml: is missing
.github/workflows/metrics.yml: is missing
.gitignore: is out of date
`,
  });
  const planned = JSON.parse(
    (await init("--check", "--json")).stdout,
  ) as object;
  expect([planned, misfits("init", planned)]).toMatchObject([
    { state: "planned", peer: "turbo" },
    [],
  ]);
  expect(status()).toBe("");
});

test("a yes writes; the second time there is nothing to do; the printed command undoes it", async () => {
  const yes = { cwd, isTTY: true, stdin: "y\n" };
  const { exitCode, stderr } = await run(yes, "init", "--pin", PIN);
  expect(exitCode).toBe(0);
  const [, undo = ""] = /undo it with\n {2}(git .*)\n/.exec(stderr) ?? [];
  expect(stderr).toContain("require the check `ci / verdict`");
  expect(status()).toBe(WRITTEN);
  expect(await readFile(join(cwd, "skein.json"), "utf8")).toBe(
    json({ pipeline: { test: ["^test"] }, metrics: { until: "merged" } }),
  );
  expect(await init("--check")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await init("--yes")).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringContaining("everything is up to date\n"),
  });
  expect(status()).toBe(WRITTEN);
  gitIn(cwd, ...undo.split(" ").slice(1));
  expect(status()).toBe("");
});

test("if a file has uncommitted changes, no file is written", async () => {
  await writeFile(join(cwd, ".gitignore"), "mine\n");
  expect(await init("--yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "affected: .gitignore has changes that are not committed\nhint: commit or stash them first, so that git can undo what init writes; nothing was written\n",
    ),
  });
  expect(status()).toBe(" M .gitignore\n");
  expect(await readFile(join(cwd, ".gitignore"), "utf8")).toBe("mine\n");
  gitIn(cwd, "checkout", "--", ".");
});

test("symbolic links never lead out of the workspace", async () => {
  await using elsewhere = await tempDir();
  await symlink(elsewhere.path, join(cwd, ".github/workflows"));
  expect(await init("--yes")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "affected: .github/workflows isn't a plain folder\n",
    ),
  });
  await rm(join(cwd, ".github/workflows"));
  expect(status()).toBe("");
});

test("a write that fails halfway restores everything", async () => {
  // git add runs last, after all files are written, and fails.
  await writeFile(join(cwd, ".git/index.lock"), "");
  const { exitCode } = await init("--yes");
  await rm(join(cwd, ".git/index.lock"));
  expect(exitCode).toBe(3);
  expect(status()).toBe("");
});

test.each([
  [
    { "package.json": "{}" },
    "there is no yarn.lock next to the root's package.json",
  ],
  [
    { "package.json": "{}", "package-lock.json": "{}" },
    "this workspace has package-lock.json, so a package manager other than Yarn installs it",
  ],
  [
    { "package.json": "{}", "yarn.lock": "# yarn lockfile v1\n" },
    "yarn.lock was written by Yarn 1",
  ],
  [
    {
      "package.json": '{"name": "x"}',
      "yarn.lock": "__metadata:\n  version: 8\n",
    },
    "the root's package.json has no workspaces",
  ],
])("not a workspace of Yarn 2 or newer: %j", async (files, words) => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files }]);
  expect(await run({ cwd: dir.path }, "init", "--dry-run")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`affected: ${words}\n`),
  });
});

test("a checkout of Skein results in links and its commit", async () => {
  await using skein = await tempDir();
  buildHistory(skein.path, [
    { files: { "tools/affected/package.json": "{}" } },
  ]);
  const { stdout } = await run(
    { cwd },
    "init",
    "--dry-run",
    "--from",
    skein.path,
  );
  expect(stdout).toContain(
    `+    "@skein/ci-dispatch": "link:${skein.path}/tools/ci-dispatch"\n`,
  );
  const commit = gitIn(skein.path, "rev-parse", "HEAD").trim();
  expect(stdout).toContain(`/ci-dispatch.yml@${commit} # v0.1.0\n`);
});
