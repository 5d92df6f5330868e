import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  json,
  tempDir,
  writeFiles,
} from "@skein/testing";
import { run, shop, shopWithChange, shown } from "./affected.test.kit.js";

const bin = fileURLToPath(new URL("../../bin/affected.js", import.meta.url));

const NOT_A_FILE = `this is a pipe, a device or a socket, not a file
hint: put a regular file in its place
`;
const GLOBS = `affected: package.json:1: package.json cannot be read: "workspaces" must be a list of globs, or an object with the list "packages"
hint: fix it; if only the base is broken, compare with a different base: --base REF
`;

const pipe = (path: string) => (dir: string) => {
  rmSync(join(dir, path), { force: true });
  execFileSync("mkfifo", [join(dir, path)]);
};
const zero = (path: string) => (dir: string) => {
  rmSync(join(dir, path), { force: true });
  symlinkSync("/dev/zero", join(dir, path));
};
const root = (workspaces: unknown) => (dir: string) =>
  writeFileSync(
    join(dir, "package.json"),
    json({ name: "shop", private: true, workspaces }),
  );
const deep = (path: string, before: string, after: string) => (dir: string) =>
  writeFileSync(
    join(dir, path),
    `${before}${"[".repeat(50_000)}${"]".repeat(50_000)}${after}`,
  );

describe("project files that can't be read are reported in one sentence", () => {
  test.each<[title: string, make: (dir: string) => void, stderr: string]>([
    ["a device", zero("yarn.lock"), `affected: yarn.lock: ${NOT_A_FILE}`],
    ["workspaces: 3", root(3), GLOBS],
    ["workspaces: a string", root("packages/*"), GLOBS],
    ["workspaces: a list of numbers", root([3]), GLOBS],
    ["workspaces: packages of a string", root({ packages: "a" }), GLOBS],
    [
      "50,000 brackets in one another",
      deep("package.json", '{"x":', "}"),
      `affected: package.json:1: package.json cannot be read: it is nested too deeply
hint: fix it; if only the base is broken, compare with a different base: --base REF
`,
    ],
    // Pipes come last: if Node 20 loads a module right after a look at a pipe, it does not follow symlinks to it.
    ["a pipe", pipe("skein.json"), `affected: skein.json: ${NOT_A_FILE}`],
    [
      "a pipe for a changed manifest",
      pipe("packages/ui/package.json"),
      `affected: packages/ui/package.json: ${NOT_A_FILE}`,
    ],
  ])("%s", async (_, make, stderr) => {
    await using dir = await shopWithChange();
    make(dir.path);
    expect(await run({ cwd: dir.path }, "list")).toEqual({
      exitCode: 3,
      stdout: "",
      stderr,
    });
  });

  test("sources that can't be read don't fail the command", async () => {
    await using dir = await shopWithChange();
    pipe("packages/alone/index.js")(dir.path);
    zero("packages/core/index.js")(dir.path);
    deep("packages/ui/deep.js", "f(", ", require('@shop/alone'))")(dir.path);
    expect(await shown({ cwd: dir.path }, "list")).toBe(
      "0 stdout: @shop/alone\n@shop/app\n@shop/core\n@shop/ui\n",
    );
  });
});

test("files that a partial clone lacks count as changed", async () => {
  await using dir = await shopWithChange(
    {
      files: {
        "packages/alone/data.json": '"@shop/core"',
        "packages/alone/read.js": "import data from './data.json'",
        "packages/reader/package.json": json({ name: "@shop/reader" }),
        "packages/reader/index.js": "import '../../shared/names.json';",
        "packages/other/package.json": json({ name: "@shop/other" }),
        "shared/names.json": '["@shop/core", 1]',
        "shared/unused.json": '["@shop/core", 2]',
      },
    },
    { files: { "packages/core/index.js": "export const price = 3;\n" } },
  );
  await using temp = await tempDir();
  gitIn(dir.path, "config", "uploadpack.allowFilter", "true");
  const flags = ["--quiet", "--filter=blob:none", "--no-checkout"];
  gitIn(temp.path, "clone", ...flags, `file://${dir.path}`, "c");
  const cwd = join(temp.path, "c");
  const lacking = /^packages.alone.data.json|^shared.(?:names|unused).json/;
  for (const path of gitIn(cwd, "ls-tree", "-r", "--name-only", "HEAD")
    .split("\n")
    .filter((path) => path !== "" && !lacking.test(path)))
    for (const end of ["HEAD", "HEAD~1"])
      if (gitIn(cwd, "ls-tree", end, path))
        gitIn(cwd, "show", `${end}:${path}`);
  gitIn(cwd, "remote", "set-url", "origin", "./gone");
  const range = ["--since", "HEAD~1", "--committed"];
  expect(await run({ cwd }, "list", ...range)).toEqual({
    exitCode: 0,
    stdout: "@shop/alone\n@shop/app\n@shop/core\n@shop/reader\n@shop/ui\n",
    stderr:
      "warning: this partial clone lacks 3 files that the remote doesn't provide (packages/alone/data.json, …): missing files may use any changed file, so Skein treats them as changed\n",
  });
  expect((await run({ cwd }, "why", "@shop/alone", ...range)).stdout).toBe(
    "  packages/alone/data.json (unreadable)\n@shop/alone\n",
  );
  expect(await shown({ cwd }, "list", "--since", "HEAD", "--committed")).toBe(
    "0",
  );
});

test("all files of a package that git ignores are part of its fingerprint", async () => {
  await using dir = await tempDir();
  const script = { scripts: { test: "node -e 0" } };
  buildHistory(dir.path, [
    {
      files: {
        "package.json": json({
          name: "shop",
          private: true,
          workspaces: ["packages/made", "packages/top"],
        }),
        ".gitignore": "packages/made\n",
        "packages/top/package.json": json({
          ...{ name: "top", dependencies: { made: "*" } },
          ...script,
        }),
      },
    },
  ]);
  const made = json({ name: "made", version: "1.0.0", ...script });
  const seen = new Set<string>();
  for (const [path, text] of [
    ["packages/made/package.json", made],
    ["packages/made/index.js", "1"],
    ["packages/made/index.js", "2"],
    ["packages/made/src/inner.js", "1"],
  ] as const) {
    await writeFiles(dir.path, { [path]: text });
    const { stdout } = await run({ cwd: dir.path }, "fingerprint");
    for (const line of stdout.trim().split("\n")) seen.add(line);
  }
  // Two packages in four states.
  expect(
    [...seen].filter((line) => /^(?:made|top)#test \w+$/.test(line)),
  ).toHaveLength(8);
});

describe("a package that a sparse checkout leaves out", () => {
  test("leads from a changed package to its dependents", async () => {
    await using dir = await shopWithChange();
    const patterns = ["/*", "!/packages/ui"];
    const cwd = dir.path;
    gitIn(cwd, "checkout", "--quiet", "change");
    gitIn(cwd, "sparse-checkout", "set", "--no-cone", ...patterns);
    expect(await shown({ cwd }, "list")).toBe(
      "0 stdout: @shop/app\n@shop/core\n@shop/ui\n",
    );
    gitIn(cwd, "sparse-checkout", "set", "--sparse-index", "packages/app");
    expect(await shown({ cwd }, "audit")).toBe("0 stderr: 0 problems\n");
    expect((await run({ cwd }, "why", "@shop/app")).stdout).toBe(
      "  packages/core/index.js (modified)\n@shop/core\n  <- @shop/ui (dependencies: @shop/core@workspace:^)\n    <- @shop/app (dependencies: @shop/ui@workspace:^)\n",
    );
  });

  test("is still a package if its manifest changed, and its script can't run", async () => {
    await using dir = await shopWithChange({
      files: {
        "packages/alone/package.json": json({
          name: "@shop/alone",
          scripts: { test: "node -e 0" },
        }),
      },
    });
    const cwd = dir.path;
    gitIn(cwd, "sparse-checkout", "set", "packages/ui");
    const range = ["--since", "HEAD~1"];
    expect(await shown({ cwd }, "list", ...range)).toBe(
      "0 stdout: @shop/alone\n",
    );
    const { exitCode, stderr } = await run({ cwd }, "test", ...range);
    expect([exitCode, stderr.split("\n").at(-2)]).toEqual([
      1,
      "hint: these folders aren't checked out (`git sparse-checkout add`): packages/alone",
    ]);
  });
});

describe("a list of changed files", () => {
  test.each(["ff", "/dev/zero"])("can't be %s", async (file) => {
    await using dir = await shopWithChange();
    pipe("ff")(dir.path);
    expect(await shown({ cwd: dir.path }, "list", "--files-from", file))
      .toBe(`2 stderr: affected: the list of changed files, ${file}, cannot be read: this is a pipe, a device or a socket, not a file
hint: pass a pipe as standard input: … | affected list --files-from -
`);
  });
});

describe("in an unusual process", () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  const shell = (script: string, path = process.env["PATH"]) => {
    const { status, stdout, stderr } = spawnSync(
      "/bin/sh",
      ["-c", script, "sh", process.execPath, bin],
      {
        cwd: dir.path,
        env: { ...gitTestEnv, PATH: path },
        encoding: "utf8",
      },
    );
    return { exitCode: status, stdout, stderr };
  };
  beforeAll(async () => {
    dir = await tempDir();
    buildHistory(dir.path, [{ files: shop() }]);
    mkdirSync(join(dir.path, "empty"));
  });
  afterAll(async () => {
    await dir[Symbol.asyncDispose]();
  });

  // Git starts before the program is loaded. Its failure must not end the process.
  test.each(["list", "run test", "why @shop/ui", "graph"])(
    "without git on the PATH: %s",
    (words) => {
      expect(shell(`"$1" "$2" ${words}`, join(dir.path, "empty"))).toEqual({
        exitCode: 3,
        stdout: "",
        stderr:
          "affected: git was not found\nhint: install git, or put it on the PATH\n",
      });
    },
  );

  test("a current folder that was deleted", () => {
    expect(
      shell('mkdir gone && cd gone && rmdir ../gone && "$1" "$2" list'),
    ).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "affected: the current folder was deleted\nhint: change to a folder that exists: cd\n",
    });
  });

  test("too few file descriptors", () => {
    expect(shell('ulimit -n 20; "$1" "$2" list')).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        "affected: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n",
    });
  });
});

describe("arguments of the command line", () => {
  test.each([
    [["test", "packages/ui/"], "./packages/ui", "packages/ui/"],
    [["run", "test", "@shop/ui"], "@shop/ui", "@shop/ui"],
    [["test", "ui", "--", "x", "--", "y"], "ui", "ui"],
  ])("%j: a word before -- is rejected", async (argv, filter, word) => {
    await using dir = await shopWithChange();
    expect(await shown({ cwd: dir.path }, ...argv))
      .toBe(`2 stderr: affected: ${JSON.stringify(word)} isn't an option; arguments of the script come after --
hint: for one package: affected test --filter ${filter}; for the script: affected test -- ${word}
`);
  });

  test("a word after a mistyped command", async () => {
    await using dir = await shopWithChange();
    const { stderr } = await run({ cwd: dir.path }, "wyh", "ui");
    expect(stderr)
      .toBe(`affected: "ui" isn't an option; arguments of the script come after --
hint: did you mean \`affected why\`? for one package: affected wyh --filter ui; for the script: affected wyh -- ui
`);
  });

  test("words after -- are arguments of the script", async () => {
    await using dir = await shopWithChange();
    const { exitCode } = await run(
      { cwd: dir.path },
      ...["test", "--dry-run", "--", "ui", "--", "x"],
    );
    expect(exitCode).toBe(0);
  });

  test.each([
    ["ui", 1, ""],
    ["p", 2, "no package is called p"],
    ["pp", 2, "no package is called pp"],
  ])(
    "why-not %s: a unique ending of a name, in whole words",
    async (word, exitCode, output) => {
      await using dir = await shopWithChange();
      const ran = await run(
        { cwd: dir.path },
        ...["why-not", word, "--head", "change"],
      );
      expect([ran.exitCode, ran.stderr.includes(output)]).toEqual([
        exitCode,
        true,
      ]);
    },
  );
});
