import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
  writeFiles,
} from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shop, shown } from "./affected.test.kit.js";

/**
 * A program with the output of `turbo ls --affected --output=json`: the packages that the range changes, without
 * dependents.
 */
const TURBO = `
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
if (process.argv[2] === "--version") {
  console.log("2.11.0");
} else {
  if (process.argv.slice(2).join(" ") !== "ls --affected --output=json") process.exit(64);
  if (!existsSync("turbo.json")) process.exit(65);
  const { TURBO_SCM_BASE: base, TURBO_SCM_HEAD: head } = process.env;
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
  if (git("rev-parse", "HEAD").trim() !== head) process.exit(66);
  if (git("status", "--porcelain") !== "") process.exit(67);
  const changed = git("diff", "--name-only", base, head).split("\\n").filter(Boolean);
  if (changed.includes("packages/alone/broken.js")) {
    console.error("  x it is broken");
    process.exit(1);
  }
  const inside = changed.filter((path) => path.startsWith("packages/"));
  const folders = new Set(inside.map((path) => path.split("/").slice(0, 2).join("/")));
  const items = [...folders].map((path) => ({
    name: JSON.parse(readFileSync(path + "/package.json", "utf8")).name,
    path,
  }));
  console.log(JSON.stringify({ packageManager: "berry", packages: { count: items.length, items } }));
}
`;

/** A program with the output of `nx show projects --json`, for a project that project.json gives another name. */
const NX = `
import { existsSync } from "node:fs";
if (process.argv[2] === "--version") console.log("Nx Version:\\n- Local: v22.7.12");
else if (process.argv[3] !== "projects" || !process.argv.includes("--json")) process.exit(64);
else console.log(JSON.stringify(["bee", "gone"]));
`;

/** Makes three commits after the first: they change core's source, a test that nothing uses, and the version of Node. */
async function history() {
  const dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        ...shop(),
        "packages/alone/project.json": '{"name":"bee"}\n',
      },
      message: "all",
    },
    {
      files: { "packages/core/index.js": "export const price = 2;\n" },
      message: "core",
    },
    {
      files: { "packages/ui/index.test.js": "export {};\n" },
      message: "test",
    },
    { files: { ".nvmrc": "22\n" }, message: "node" },
  ]);
  return dir;
}

/** Returns everything that a user could lose: each file of the clone with its bytes. */
async function filesBelow(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path] = await readFile(path, "latin1");
  }
  return files;
}

describe("with the manifests", () => {
  test("prints a row per commit and the sums, and leaves the clone as it was", async () => {
    await using dir = await history();
    await writeFiles(dir.path, {
      "packages/core/index.js": "export const price = 3;\n",
      "new.txt": "",
    });
    const before = await filesBelow(dir.path);
    const { exitCode, stdout, stderr } = await run(
      { cwd: dir.path },
      "compare",
    );
    const ids = gitIn(dir.path, "log", "--format=%h", "--abbrev=10", "-3")
      .trim()
      .split("\n");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "comparing 3 commits with manifests\n",
    });
    expect(stdout.replace(/\ntime: .*/, "")).toBe(
      [
        "commit      packages  affected  manifests  misses  extras  subject",
        `${ids[0]}         4         4          0               4  node`,
        `${ids[1]}         4         1          1                  test`,
        `${ids[2]}         4         3          3                  core`,
        "",
        "3 commits compared",
        "mean per commit: affected 2.7, manifests 1.3 (2.00 times as many)",
        "everything selected: affected 1 commit, manifests 0 commits",
        "misses, which only manifests selected: 0 packages in 0 commits",
        "extras, which only affected selected: 4 packages in 1 commit",
        "",
      ].join("\n"),
    );
    expect(await filesBelow(dir.path)).toEqual(before);
  });

  test.each([
    [["--last", "1"], ["node"]],
    [["--last", "1", "--head", "HEAD^"], ["test"]],
    [
      ["--base", "HEAD~2"],
      ["node", "test"],
    ],
    [["--base", "HEAD~3", "--last", "1"], ["node"]],
  ])("%j compares %j", async (args, subjects) => {
    await using dir = await history();
    const { stdout } = await run(
      { cwd: dir.path },
      ...["compare", "--json", ...args],
    );
    const { commits } = JSON.parse(stdout) as {
      readonly commits: readonly { readonly subject: string }[];
    };
    expect(commits.map(({ subject }) => subject)).toEqual(subjects);
  });

  test("the output of --json matches its schema", async () => {
    await using dir = await history();
    const { stdout } = await run(
      { cwd: dir.path },
      ...["compare", "--json", "--last", "1", "--script", "test"],
    );
    const document: unknown = JSON.parse(stdout);
    expect(misfits("compare", document)).toEqual([]);
    const names = ["@shop/alone", "@shop/app", "@shop/core", "@shop/ui"];
    expect(document).toMatchObject({
      version: 1,
      with: { name: "manifests", version: null },
      script: "test",
      summary: { compared: 1, failed: 0, ratio: null },
      commits: [
        {
          kind: "compared",
          commit: gitIn(dir.path, "rev-parse", "HEAD").trim(),
          parent: gitIn(dir.path, "rev-parse", "HEAD^").trim(),
          packages: 4,
          ours: { packages: names },
          theirs: { packages: [], unmatched: [] },
          misses: [],
          extras: names,
        },
      ],
    });
  });

  test("reports that there is nothing to compare", async () => {
    await using dir = await history();
    expect(
      await run({ cwd: dir.path }, "compare", "--base", "HEAD"),
    ).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr:
        "affected: there is no commit to compare\nhint: a commit without a parent cannot be compared; in a shallow clone, fetch more history\n",
    });
    const wrong = await run({ cwd: dir.path }, "compare", "--last", "none");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("it takes a whole number above 0");
  });
});

describe("with another tool", () => {
  test("runs the other tool in a separate clone, and distinguishes its failures", async () => {
    await using dir = await history();
    await writeFiles(dir.path, { "packages/alone/broken.js": "" });
    gitIn(dir.path, "add", ".");
    gitIn(dir.path, "commit", "--quiet", "--message", "broken");
    await using tools = await tempDir();
    await writeFiles(tools.path, { "turbo.mjs": TURBO });
    const before = await filesBelow(dir.path);
    const { exitCode, stdout, stderr } = await run(
      { cwd: dir.path },
      ...["compare", "--with", "turbo", "--head", "HEAD", "--last", "4"],
      ...["--peer-bin", join(tools.path, "turbo.mjs")],
    );
    const ids = gitIn(dir.path, "log", "--format=%h", "--abbrev=10", "-4")
      .trim()
      .split("\n");
    expect(stderr).toBe("comparing 4 commits with turbo 2.11.0\n");
    expect(stdout.replace(/\ntime: .*/, "")).toBe(
      [
        "commit      packages  affected  turbo  misses  extras  subject",
        `${ids[1]}         4         4      0               4  node`,
        `${ids[2]}         4         1      1                  test`,
        `${ids[3]}         4         3      1               2  core`,
        `not compared: ${ids[0]}: turbo ended with exit code 1: x it is broken`,
        "",
        "3 commits compared, 1 not",
        "mean per commit: affected 2.7, turbo 0.7 (4.00 times as many)",
        "everything selected: affected 1 commit, turbo 0 commits",
        "misses, which only turbo selected: 0 packages in 0 commits",
        "extras, which only affected selected: 6 packages in 2 commits",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
    expect(await filesBelow(dir.path)).toEqual(before);
  });

  test("files that a partial clone lacks look unchanged to the program", async () => {
    await using origin = await tempDir();
    const data = "packages/alone/data.bin";
    buildHistory(origin.path, [
      { files: { ...shop(), [data]: "1".repeat(1000) } },
      { files: { "packages/core/index.js": "export {};\n" }, message: "core" },
      { files: { [data]: "2".repeat(1000) }, message: "data" },
    ]);
    gitIn(origin.path, "config", "uploadpack.allowFilter", "true");
    await using clones = await tempDir();
    const clone = join(clones.path, "clone");
    gitIn(
      clones.path,
      ...["clone", "--quiet", "--filter=blob:limit=500"],
      ...[`file://${origin.path}`, clone],
    );
    await writeFiles(clones.path, { "turbo.mjs": TURBO });
    const { stdout } = await run(
      { cwd: clone },
      ...["compare", "--with", "turbo"],
      ...["--peer-bin", join(clones.path, "turbo.mjs")],
    );
    const ids = gitIn(clone, "log", "--format=%h", "--abbrev=10", "-2")
      .trim()
      .split("\n");
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "commit      packages  affected  turbo  misses  extras  subject",
      `${ids[0]}         4         1      1                  data`,
      `${ids[1]}         4         3      1               2  core`,
      "",
    ]);
  });

  test("Nx's names are found in project.json, and others are printed", async () => {
    await using dir = await history();
    await using tools = await tempDir();
    await writeFiles(tools.path, { "nx.mjs": NX });
    const { stdout } = await run(
      { cwd: dir.path },
      ...["compare", "--with", "nx", "--last", "1", "--head", "HEAD~2"],
      ...["--peer-bin", join(tools.path, "nx.mjs")],
    );
    const id = gitIn(dir.path, "rev-parse", "HEAD~2").slice(0, 10);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "commit      packages  affected  nx  misses  extras  subject",
      `${id}         4         3   1       1       3  core`,
      `missed in ${id}: @shop/alone`,
      `not packages of this project, in ${id}: gone`,
    ]);
  });

  test("a missing program is reported, with the command that installs it", async () => {
    await using dir = await history();
    expect(await shown({ cwd: dir.path }, "compare", "--with", "turbo")).toBe(
      "2 stderr: affected: Turborepo is not installed here: there is no node_modules/.bin/turbo\nhint: run `yarn install`, or install it elsewhere (`npm install --prefix DIR turbo`) and pass --peer-bin DIR/node_modules/.bin/turbo\n",
    );
    expect(
      await shown(
        { cwd: dir.path },
        ...["compare", "--with", "nx", "--peer-bin", "no/nx"],
      ),
    ).toBe(
      "2 stderr: affected: there is no program no/nx\nhint: --peer-bin takes the path of a file\n",
    );
  });

  test("Ctrl-C ends the program with what it started, and leaves nothing behind", async () => {
    await using dir = await history();
    await using tools = await tempDir();
    await using temporary = await tempDir();
    const started = join(tools.path, "started");
    await writeFiles(tools.path, {
      "turbo.mjs": `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
if (process.argv[2] === "ls") {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  child.on("spawn", () => writeFileSync(${JSON.stringify(started)}, ""));
}
`,
    });
    const before = await filesBelow(dir.path);
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL("../../bin/affected.js", import.meta.url)),
        ...["compare", "--with", "turbo"],
        ...["--peer-bin", join(tools.path, "turbo.mjs")],
      ],
      { cwd: dir.path, env: { ...gitTestEnv, TMPDIR: temporary.path } },
    );
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const closed = once(child, "close");
    while (!existsSync(started) && child.exitCode === null) await sleep(10);
    child.kill("SIGINT");
    expect(await closed).toEqual([3, null]);
    expect(stderr).toBe(
      "comparing 3 commits with turbo\naffected: interrupted: nothing was compared\nhint: the temporary folders were removed\n",
    );
    expect(await readdir(temporary.path)).toEqual([]);
    expect(await filesBelow(dir.path)).toEqual(before);
  });
});
