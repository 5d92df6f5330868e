import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  json,
  suiteDir,
  writeFiles,
} from "@skein/testing";
import { whyNoStrace } from "@skein/trace";
import { misfits } from "../schemas.test.support.js";
import { run } from "./affected.test.kit.js";

const manifest = (name: string, more: object = {}) =>
  json({
    ...{ name, version: "1.0.0" },
    scripts: {
      test: "node test.js && cat <in.txt >out.txt",
      build: "node build.cjs",
    },
    ...more,
  });

/** Two packages, with files that only a run reveals: the scripts compute their names. */
const files = {
  "package.json": json({
    name: "shop",
    private: true,
    workspaces: ["packages/*"],
    scripts: { all: "turbo run test" },
  }),
  // So a change of it affects the root. For packages, the fields still count.
  "turbo.json": json({ globalDependencies: ["./package.json"] }),
  "skein.json": json({
    affected: { unowned: { "data/**": "nothing" } },
    pipeline: { test: ["^build"] },
  }),
  ".gitignore": "node_modules\ndist\nout.txt\nsecret\n",
  "data/prices.json": "{}",
  "packages/lib/package.json": manifest("@shop/lib"),
  "packages/lib/build.cjs":
    'const fs = require("fs"); fs.rmSync("dist", { recursive: true, force: true }); fs.mkdirSync("dist"); fs.copyFileSync("source.txt", "dist/made.txt");',
  "packages/lib/source.txt": "source",
  "packages/lib/test.js": "",
  "packages/lib/in.txt": "in",
  "packages/idle/package.json": manifest("@shop/idle", { scripts: {} }),
  "packages/app/package.json": manifest("@shop/app", {
    dependencies: { "@shop/lib": "workspace:^", "@shop/idle": "workspace:^" },
  }),
  "packages/app/in.txt": "in",
  "packages/app/test.js": `
const fs = require("fs"), os = require("os"), path = require("path");
const up = (...names) => path.join(__dirname, "..", ...names);
fs.readFileSync(up("lib", "dist", "made.txt"));
JSON.parse(fs.readFileSync(up("..", "da" + "ta", "prices.json"), "utf8"));
fs.existsSync("op" + "tional.json");
fs.readdirSync(".");
fs.readFileSync(up("..", "pack" + "age.json"));
process.env.SHOP_MODE;
const own = path.join(os.tmpdir(), "own");
fs.writeFileSync(own, "1");
fs.readFileSync(own);
if (process.env.WITH_CACHE) fs.readFileSync(up("app", "secret"));
`,
} as const;

const dir = await suiteDir(afterAll);
beforeAll(() => {
  buildHistory(dir, [{ files }]);
});

const where = (env: Record<string, string> = {}) => ({
  cwd: dir,
  env: { PATH: process.env["PATH"] ?? "", ...env },
});

interface Report {
  readonly notRun: readonly { readonly unit: string; readonly words: string }[];
  readonly recorder: unknown;
  readonly units: readonly (Record<string, unknown> & {
    readonly unit: string;
  })[];
  readonly misses: unknown;
}

async function report(...argv: string[]): Promise<Report> {
  const { stdout } = await run(where(), "trace", "--all", "--json", ...argv);
  const answer = JSON.parse(stdout) as Report;
  expect(misfits("trace", answer)).toEqual([]);
  return answer;
}

test("on Linux, these tests need strace: install the package strace, and allow ptrace", async () => {
  expect(await whyNoStrace(process.env, process.platform)).toBeUndefined();
});

describe("with strace", () => {
  test("reports files that selection misses, with the fix", async () => {
    const reported = await run(
      where(),
      "trace",
      "--all",
      "--check",
      "--html",
      "out/trace.html",
    );
    expect(reported.exitCode).toBe(1);
    expect(reported.stdout).toBe(`\
miss: @shop/app#test read 1 file of shop; a change there would not select it
  data/prices.json
  fix: skein.json: "affected.ignore" or "affected.unowned" must not match these files
unused: @shop/app -> @shop/idle (dependencies: @shop/idle@workspace:^); no recorded unit of it used a file there
`);
    expect(reported.stderr).toContain(
      "3 units recorded by strace, 3 complete; 1 miss; 1 unused dependency\n",
    );
    const page = await readFile(join(dir, "out/trace.html"), "utf8");
    expect(page).toContain("<li>data/prices.json</li>");
  });

  test("JSON contains the inputs of each unit, but not its own products", async () => {
    const { recorder, units } = await report("--filter", "@shop/app");
    expect(recorder).toEqual({ kind: "strace" });
    const none: readonly string[] = [];
    expect(units.map(({ unit }) => unit)).toEqual([
      "@shop/lib#build",
      "@shop/app#test",
    ]);
    const { missing, ...app } = units[1] ?? { missing: none };
    expect(app).toEqual({
      ...{ unit: "@shop/app#test", workspace: "@shop/app", script: "test" },
      ...{ passed: true, complete: true, gaps: [] },
      read: [
        "data/prices.json",
        "package.json",
        "packages/app/in.txt",
        "packages/app/package.json",
        "packages/app/test.js",
      ],
      ...{
        executed: none,
        links: none,
        externals: none,
        linked: none,
        notInstalled: none,
        listsInstalled: false,
      },
      found: [".", "packages", "packages/app"],
      listed: ["packages/app"],
      changed: ["packages/app/out.txt"],
      generated: [
        { path: "packages/lib/dist/made.txt", madeBy: "@shop/lib#build" },
      ],
    });
    expect(missing).toContain("packages/app/optional.json");
  });

  test("a cache of an earlier run makes a trace incomplete", async () => {
    await writeFiles(dir, { "packages/app/secret": "" });
    const { stdout, exitCode } = await run(
      where({ WITH_CACHE: "1" }),
      ...["trace", "--all", "--filter", "@shop/app"],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`\
incomplete: @shop/app#test
  it used files that aren't sources of the project and that no recorded unit made before: packages/app/secret
`);
  });
});

describe("units without a recording are reported", () => {
  const build = "packages/lib/build.cjs";
  beforeAll(() =>
    writeFiles(dir, {
      [build]:
        'const fs = require("fs"); fs.mkdirSync("dist", { recursive: true }); fs.writeFileSync("dist/begun", ""); setTimeout(() => {}, 60_000);',
    }),
  );
  afterAll(() => writeFiles(dir, { [build]: files[build] }));

  test("after an interruption", async () => {
    await rm(join(dir, "packages/lib/dist"), { recursive: true, force: true });
    const stop = new AbortController();
    const running = run(
      { ...where(), signal: stop.signal },
      ...["trace", "--all", "--json", "-j", "1"],
    );
    while (!existsSync(join(dir, "packages/lib/dist/begun")))
      await setTimeout(20);
    stop.abort();
    const { exitCode, stdout, stderr } = await running;
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      "0 units recorded by strace, 0 complete; incomplete, because 3 units didn't run to the end; 0 misses; 0 unused dependencies\n",
    );
    const answer = JSON.parse(stdout) as Report;
    expect(misfits("trace", answer)).toEqual([]);
    expect(
      answer.notRun.map(({ unit, words }) => `${unit} ${words}`).sort(),
    ).toEqual([
      "@shop/app#test not started",
      "@shop/lib#build cancelled",
      "@shop/lib#test not started",
    ]);
  });

  test("after a time limit", async () => {
    const { stdout, exitCode } = await run(
      where(),
      ...["trace", "--all", "--filter", "@shop/app", "--timeout", "1"],
    );
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`\
not recorded: @shop/lib#build timed out after 1.0 s
not recorded: @shop/app#test skipped, because @shop/lib#build did not pass
`);
  });
});

test("with Node's hooks: only Node's own reads, and incomplete", async () => {
  const hooks = await report("--recorder", "hooks", "--filter", "@shop/app");
  expect(hooks.recorder).toEqual({ kind: "hooks", why: "--recorder hooks" });
  const app = hooks.units.find(({ unit }) => unit === "@shop/app#test");
  expect(app).toMatchObject({
    passed: true,
    complete: false,
    read: ["data/prices.json", "package.json", "packages/app/test.js"],
    missing: ["packages/app/optional.json"],
    listed: ["packages/app"],
    generated: [
      { path: "packages/lib/dist/made.txt", madeBy: "@shop/lib#build" },
    ],
  });
  expect(hooks.misses).toMatchObject([{ files: ["data/prices.json"] }]);
});

test("with evidence, files that no passing run read select nothing", async () => {
  const skein = JSON.parse(files["skein.json"]) as { affected: object };
  const affected = { ...skein.affected, evidence: "full" };
  await writeFiles(dir, { "skein.json": json({ ...skein, affected }) });
  gitIn(dir, "add", "--all");
  gitIn(dir, "commit", "--quiet", "--message", "evidence");
  const list = async (options: string[] = [], env = {}) => {
    const { stdout, stderr } = await run(
      where(env),
      ...["list", "--script", "test"],
      ...(options.length > 0 ? options : ["--since", "HEAD"]),
    );
    return [stdout, stderr];
  };
  const both = "@shop/app\n@shop/lib\n";
  const change = (path: string, text: string) =>
    writeFiles(dir, { [path]: text });

  await change("packages/lib/in.txt", "another");
  expect(await list()).toEqual([both, ""]);
  await change("packages/lib/in.txt", "in");
  const traced = await run(
    where(),
    ...["trace", "test", "--all", "--evidence", "out/evidence.json"],
  );
  expect(traced.exitCode).toBe(0);

  // lib's test reads this file. app's test and lib's build don't.
  await change("packages/lib/in.txt", "another");
  const without = [
    "@shop/lib\n",
    "evidence: 1 package need not run test, nothing that a passing run read has changed: @shop/app\n",
  ];
  expect(await list()).toEqual(without);
  const why = async (name: string, env = {}) =>
    (await run(where(env), "why", name, "--since=HEAD", "--script=test"))
      .stderr;
  expect(await why("app")).toBe(
    "evidence: @shop/app need not run test, nothing that a passing run read has changed\n",
  );
  expect(await why("app", { SHOP_MODE: "1" })).toBe(
    "evidence: @shop/app must run test: a variable that its files name has another value\n",
  );
  expect(await why("lib")).toBe(
    "evidence: @shop/lib must run test: packages/lib/in.txt changed\n",
  );
  // app's test names this variable.
  expect(await list([], { SHOP_MODE: "1" })).toEqual([both, ""]);

  // Another machine has neither the files nor the variables. It compares the commit.
  gitIn(dir, "commit", "--quiet", "--all", "--message", "change");
  const elsewhere = ["--since=HEAD~1", "--committed"];
  const file = ["--evidence", "out/evidence.json"];
  expect(await list(elsewhere)).toEqual([both, ""]);
  expect(await list([...elsewhere, ...file], { SHOP_MODE: "1" })).toEqual(
    without,
  );
  const { stdout } = await run(
    where(),
    ...["list", "--script=test", "--json", ...elsewhere, ...file],
  );
  const answer = JSON.parse(stdout) as { leftOut: { name: string }[] };
  expect(misfits("list", answer)).toEqual([]);
  expect(answer.leftOut.map(({ name }) => name)).toEqual(["@shop/app"]);
  gitIn(dir, "reset", "--quiet", "--hard", "HEAD~1");
  await change("packages/lib/in.txt", "another");
  // The build that app's test depends on reads this file.
  await change("packages/lib/source.txt", "another");
  expect(await list()).toEqual([both, ""]);
  expect(await why("app")).toBe(
    "evidence: @shop/app must run test: @shop/lib#build: packages/lib/source.txt changed\n",
  );
  await change("packages/lib/source.txt", "source");
  // The test looked for a file of this name.
  await change("packages/app/optional.json", "{}");
  expect((await list())[0]).toBe(both);
  expect(await why("app")).toBe(
    "evidence: @shop/app must run test: packages/app/optional.json didn't exist before the recorded run\n",
  );
});

test("returns 1 if a script fails, and rejects a script that no package has", async () => {
  await writeFiles(dir, {
    "packages/lib/in.txt": "",
    "packages/lib/test.js": "process.exit(1)",
  });
  const failed = await run(where(), "trace", "--all", "--filter", "@shop/lib");
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toBe("failed: @shop/lib#test\n");
  const misspelt = await run(where(), "trace", "tset");
  expect(misspelt.exitCode).toBe(2);
  const other = await run(where(), "trace", "--head", "main");
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain("trace runs the files that are checked out");
});
