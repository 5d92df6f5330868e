import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir, writeFiles } from "@skein/testing";
import type { Files } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shop, shopWithChange, shown } from "./affected.test.kit.js";

test("prints one name per line, and nothing else", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  expect(await shown({ cwd: dir.path }, "list")).toBe(
    "0 stdout: @shop/app\n@shop/core\n@shop/ui\n",
  );
});

test("prints why everything is affected beside the names", async () => {
  await using dir = await shopWithChange();
  await writeFiles(dir.path, { ".nvmrc": "20\n" });
  expect(await run({ cwd: dir.path }, "list", "--since", "HEAD")).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining("@shop/alone\n@shop/app\n"),
    stderr: "everything: .nvmrc changed (the environment of every script)\n",
  });
});

test("prints the same in a subfolder", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  const { stdout } = await run({ cwd: `${dir.path}/packages/ui` }, "list");
  expect(stdout).toBe("@shop/app\n@shop/core\n@shop/ui\n");
});

test("--json prints all details, and matches its schema", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  await writeFiles(dir.path, { "packages/alone/README.md": "# alone\n" });
  const { stdout } = await run({ cwd: dir.path }, "list", "--json");
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  expect(misfits("list", answer)).toEqual([]);
  expect(answer).toMatchObject({
    version: 1,
    source: { kind: "git", includesWorkingTree: true },
    script: null,
    root: "shop",
    everything: [],
    unknown: [],
    warnings: [],
    noEffect: [{ path: "packages/alone/README.md", why: "documentation" }],
    packages: [
      {
        name: "@shop/app",
        dir: "packages/app",
        reasons: [
          {
            kind: "dependency",
            on: "@shop/ui",
            edge: "dependencies",
            evidence: "@shop/ui@workspace:^",
          },
        ],
      },
      {
        name: "@shop/core",
        dir: "packages/core",
        reasons: [
          { kind: "file", path: "packages/core/index.js", change: "modified" },
        ],
      },
      { name: "@shop/ui" },
    ],
  });
});

test("--json matches the schema if everything is affected", async () => {
  await using dir = await shopWithChange();
  await writeFiles(dir.path, { ".nvmrc": "22\n" });
  const { stdout } = await run({ cwd: dir.path }, "list", "--json");
  const answer = JSON.parse(stdout) as { everything: unknown };
  expect(misfits("list", answer)).toEqual([]);
  expect(answer.everything).toEqual([
    {
      kind: "global-file",
      path: ".nvmrc",
      role: "the environment of every script",
    },
  ]);
});

test("--table prints folders and reasons", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  const { stdout, stderr } = await run({ cwd: dir.path }, "list", "--table");
  expect(stdout).toBe(
    [
      "package     folder         why",
      "@shop/app   packages/app   depends on @shop/ui (dependencies: @shop/ui@workspace:^)",
      "@shop/core  packages/core  packages/core/index.js (modified)",
      "@shop/ui    packages/ui    depends on @shop/core (dependencies: @shop/core@workspace:^)",
      "",
    ].join("\n"),
  );
  expect(stderr).toMatch(
    /^1 changed file in main \([0-9a-f]{10}\)\.\.HEAD \([0-9a-f]{10}\) and the working tree\n$/,
  );
});

describe("--filter", () => {
  test.each([
    ["@shop/ui", "@shop/ui\n"],
    ["owner(@shop/web)", "@shop/ui\n"],
    ["@shop/alone", ""],
    [
      "affected() | @shop/alone",
      "@shop/alone\n@shop/app\n@shop/core\n@shop/ui\n",
    ],
    ["affected() - @shop/core", "@shop/app\n@shop/ui\n"],
  ])("%s", async (filter, expected) => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    const { stdout } = await run({ cwd: dir.path }, "list", "--filter", filter);
    expect(stdout).toBe(expected);
  });
});

describe("--files-from", () => {
  test.each([
    ["lines", "packages/ui/index.js\n"],
    ["NULs", "packages/ui/index.js\0"],
  ])("stdin, in %s", async (_, stdin) => {
    await using dir = await shopWithChange();
    const answer = await run(
      { cwd: dir.path, stdin },
      "list",
      "--files-from",
      "-",
    );
    expect(answer).toEqual({
      exitCode: 0,
      stdout: "@shop/app\n@shop/ui\n",
      stderr: "",
    });
  });
});

test.each([
  ["the top of the repository", "shop/packages/ui/index.js\n"],
  ["the project's folder", "packages/ui/index.js\n"],
  ["the current folder", "ui/index.js\n"],
])(
  "--files-from in a project below the top: paths from %s",
  async (_, stdin) => {
    await using dir = await tempDir();
    const files = Object.entries(shop()).map(([path, content]) => [
      `shop/${path}`,
      content,
    ]);
    buildHistory(dir.path, [{ files: Object.fromEntries(files) as Files }]);
    const cwd = join(dir.path, "shop/packages");
    expect(await shown({ cwd, stdin }, "list", "--files-from", "-")).toBe(
      "0 stdout: @shop/app\n@shop/ui\n",
    );
  },
);

describe("fails for", () => {
  test.each<[string, readonly string[], number, string]>([
    [
      "an unknown ref",
      ["list", "--base", "mian"],
      2,
      'affected: no commit is called "mian" here\nhint: did you mean main?\n',
    ],
    [
      "an unknown option",
      ["list", "--bsae", "main"],
      2,
      "affected: there is no option --bsae\nhint: did you mean --base? `affected list --help` shows its options\n",
    ],
    [
      "a report of a run that isn't run",
      ["test", "--dry-run", "--json"],
      2,
      "affected: option '--dry-run' cannot be used with option '--json'\nhint: `affected run --help` shows its options\n",
    ],
    [
      "two bases",
      ["list", "--base", "main", "--since", "main"],
      2,
      "affected: option '--since <ref>' cannot be used with option '--base <ref>'\nhint: `affected list --help` shows its options\n",
    ],
    [
      "an unknown package",
      ["why", "@shop/cor"],
      2,
      "affected: no package is called @shop/cor\nhint: did you mean @shop/core?\n",
    ],
    [
      "a missing list",
      ["list", "--files-from", "nowhere"],
      2,
      expect.stringMatching(
        /^affected: the list of changed files, nowhere, cannot be read: there is no such file or folder\n$/,
      ) as unknown as string,
    ],
  ])("%s", async (_, argv, exitCode, stderr) => {
    await using dir = await shopWithChange();
    expect(await run({ cwd: dir.path }, ...argv)).toEqual({
      exitCode,
      stdout: "",
      stderr,
    });
  });

  test.each<[string, Record<string, string>, number, string]>([
    [
      "a broken manifest",
      { "packages/ui/package.json": '{\n  "name": "@shop/ui",\n}\n' },
      3,
      "affected: packages/ui/package.json:3: package.json cannot be read: ",
    ],
    [
      "two packages of one name",
      { "packages/two/package.json": '{"name":"@shop/ui"}' },
      3,
      "affected: two workspaces are called @shop/ui: packages/two and packages/ui\n",
    ],
    [
      "an unknown setting",
      { "skein.json": '{\n  "afected": {}\n}\n' },
      2,
      'affected: skein.json:2: "afected" isn\'t a setting of Skein\nhint: ',
    ],
    [
      "a misspelt package in the settings",
      {
        "skein.json":
          '{"affected":{"implicitDependencies":{"@shop/app":["@shop/alon"]}}}',
      },
      2,
      'affected: skein.json: "affected.implicitDependencies.@shop/app" names @shop/alon, but no package has that name\nhint: did you mean @shop/alone?\n',
    ],
    [
      "a misspelt package in the order of scripts",
      { "skein.json": '{"pipeline":{"@shop/*#test":["build"]}}' },
      2,
      'affected: skein.json: "pipeline" names @shop/*, but no package has that name\n',
    ],
    [
      "Turborepo's name of the root in the order of scripts",
      { "skein.json": '{"pipeline":{"@shop/ui#test":["//#lint"]}}' },
      2,
      'affected: skein.json: "pipeline.@shop/ui#test" names //, but no package has that name\nhint: did you mean shop?\n',
    ],
    [
      "a lockfile with conflicts",
      { "yarn.lock": "# c\n\n<<<<<<< HEAD\n" },
      3,
      "affected: yarn.lock:3: yarn.lock has merge conflicts\n",
    ],
  ])("%s", async (_, files, exitCode, beginning) => {
    await using dir = await shopWithChange();
    await writeFiles(dir.path, files);
    const answer = await run({ cwd: dir.path }, "list");
    expect({
      ...answer,
      stderr: answer.stderr.slice(0, beginning.length),
    }).toEqual({ exitCode, stdout: "", stderr: beginning });
  });
});

test.each([
  ["a clone without files", ["--filter=blob:none", "--no-checkout"]],
  ["a bare clone", ["--bare"]],
  ["a bare clone without files", ["--bare", "--filter=blob:none"]],
])("%s is read from its commits", async (_, flags) => {
  await using dir = await shopWithChange(
    {
      branch: "change",
      files: { "packages/alone/index.js": 'import "@shop/core";\n' },
    },
    {
      branch: "change",
      files: {
        "packages/core/index.js": "export const price = 3;\n",
        "skein.json": '{"affected":{"unowned":{"skein.json":"nothing"}}}',
      },
    },
  );
  gitIn(dir.path, "checkout", "--quiet", "change");
  gitIn(dir.path, "config", "uploadpack.allowFilter", "true");
  await using clones = await tempDir();
  const clone = `${clones.path}/clone`;
  gitIn(clones.path, "clone", "--quiet", ...flags, `file://${dir.path}`, clone);
  const base = gitIn(dir.path, "rev-parse", "change~1").trim();
  expect(await shown({ cwd: clone }, "list", "--base", base)).toBe(
    "0 stdout: @shop/alone\n@shop/app\n@shop/core\n@shop/ui\n",
  );
  const owned = ["--filter", "owner(@shop/web)"];
  expect(await shown({ cwd: clone }, "list", "--base", base, ...owned)).toBe(
    "0 stdout: @shop/ui\n",
  );
});

test("a repository without a working tree is read with few git processes", async () => {
  await using dir = await shopWithChange();
  await using clones = await tempDir();
  gitIn(clones.path, "clone", "--quiet", "--no-checkout", dir.path, "clone");
  const cwd = `${clones.path}/clone`;
  gitIn(cwd, "update-ref", "HEAD", "origin/change");
  const args = ["list", "--base", "origin/main"];
  const first = await run({ cwd }, ...args);
  const log = `${clones.path}/git.log`;
  expect(await run({ cwd, env: { GIT_TRACE2: log } }, ...args)).toEqual(first);
  const started = readFileSync(log, "utf8").matchAll(/ cmd_name ([\w-]+)/g);
  // Without a lockfile, the trees show where the project is, and which workspaces it has.
  expect(Array.from(started, ([, name]) => name)).toEqual([
    ...["rev-parse", "ls-tree", "cat-file", "diff-tree", "ls-tree"],
  ]);
  expect(first.stdout).toBe("@shop/app\n@shop/core\n@shop/ui\n");
});
