import { describe, expect, test } from "@jest/globals";
import { gitIn, writeFiles } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shopWithChange, shown } from "./affected.test.kit.js";

describe("why", () => {
  test("prints the shortest path from a changed file", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    expect(await run({ cwd: dir.path }, "why", "packages/app")).toEqual({
      exitCode: 0,
      stdout: [
        "  packages/core/index.js (modified)",
        "@shop/core",
        "  <- @shop/ui (dependencies: @shop/core@workspace:^)",
        "    <- @shop/app (dependencies: @shop/ui@workspace:^)",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("considers a single package without filters", async () => {
    await using dir = await shopWithChange();
    const { exitCode, stderr } = await run(
      { cwd: dir.path },
      ...["why", "@shop/app", "--filter", "x"],
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("affected: there is no option --filter\n");
  });

  test("--json matches its schema, and has every path with --all", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    const ask = async (...argv: string[]) => {
      const { stdout } = await run({ cwd: dir.path }, ...argv, "--json");
      const answer: unknown = JSON.parse(stdout);
      expect(misfits("why", answer)).toEqual([]);
      return answer;
    };
    const edge = { from: "@shop/ui", to: "@shop/core", kind: "dependencies" };
    const path = {
      packages: ["@shop/core", "@shop/ui"],
      edges: [{ ...edge, evidence: "@shop/core@workspace:^" }],
    };
    const file = {
      kind: "file",
      path: "packages/core/index.js",
      change: "modified",
    };
    expect(await ask("why", "@shop/ui", "--all")).toEqual({
      version: 1,
      name: "@shop/ui",
      affected: true,
      paths: [path],
      complete: true,
      origins: { "@shop/core": [file] },
    });
    expect(await ask("why-not", "@shop/alone")).toEqual({
      version: 1,
      name: "@shop/alone",
      affected: false,
      paths: [],
      complete: true,
      origins: {},
    });
  });

  test("returns 1 for a package that isn't affected, and why-not explains it", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    const where = { cwd: dir.path };
    expect(await shown(where, "why", "@shop/alone")).toBe(
      "1 stdout: @shop/alone is not affected; `affected why-not @shop/alone` shows why\n",
    );
    expect(await run(where, "why-not", "@shop/alone")).toEqual({
      exitCode: 0,
      stdout: [
        "@shop/alone (packages/alone) is not affected:",
        "- none of its files changed (1 other file did), and its external packages resolve as before",
        "- it depends on no other package",
        "- affected packages: @shop/app, @shop/core, @shop/ui",
        "",
      ].join("\n"),
      stderr: "",
    });
  });
});

test("why prints every reference between a package and a file that others name", async () => {
  await using dir = await shopWithChange();
  await writeFiles(dir.path, {
    "scripts/build.mjs": 'import "./lib/read.mjs";\n',
    "scripts/lib/read.mjs":
      'import { readdirSync } from "node:fs";\nreaddirSync(import.meta.dirname + "/../../assets");\n',
    "packages/alone/build.mjs": 'import "../../scripts/build.mjs";\n',
  });
  gitIn(dir.path, "add", "--all");
  gitIn(dir.path, "commit", "--quiet", "--message", "build");
  await writeFiles(dir.path, { "assets/logo.svg": "<svg/>\n" });
  const where = { cwd: dir.path };
  const { stdout } = await run(where, "list", "--since", "HEAD", "--json");
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  expect(misfits("list", answer)).toEqual([]);
  const reasons = [
    {
      kind: "referenced-file",
      path: "assets/logo.svg",
      referrer: {
        file: "packages/alone/build.mjs",
        line: 1,
        specifier: "../../scripts/build.mjs",
      },
      via: [
        { file: "scripts/build.mjs", line: 1, specifier: "./lib/read.mjs" },
        { file: "scripts/lib/read.mjs", line: 2, specifier: "../../assets" },
      ],
    },
  ];
  expect(answer["packages"]).toEqual([
    { name: "@shop/alone", dir: "packages/alone", reasons },
  ]);
  expect(await shown(where, "why", "@shop/alone", "--since", "HEAD")).toBe(
    "0 stdout:   assets/logo.svg, used by scripts/lib/read.mjs:2 (../../assets), used by scripts/build.mjs:1 (./lib/read.mjs), used by packages/alone/build.mjs:1 (../../scripts/build.mjs)\n@shop/alone\n",
  );
});

test("a change that only tests use is reported as such, and explains why dependents aren't affected", async () => {
  await using dir = await shopWithChange({
    branch: "tested",
    from: "main",
    files: { "packages/core/only.test.js": "import '@shop/alone';\n" },
  });
  gitIn(dir.path, "checkout", "--quiet", "tested");
  await writeFiles(dir.path, { "packages/alone/index.js": "" });
  const ask = async (...argv: string[]) =>
    (await run({ cwd: dir.path }, ...argv, "--since", "HEAD")).stdout;
  expect(await ask("why", "@shop/core")).toBe(
    [
      "  packages/alone/index.js (modified)",
      "@shop/alone",
      "  <- @shop/core (source: packages/core/only.test.js:1); only tests or documentation use it, so dependents are not affected",
      "",
    ].join("\n"),
  );
  expect(await ask("why-not", "@shop/ui")).toBe(
    [
      "@shop/ui (packages/ui) is not affected:",
      "- none of its files changed (1 other file did), and its external packages resolve as before",
      "- none of its dependencies, direct or indirect (1 package), is affected, except in tests or modules that it doesn't use: @shop/core",
      "- affected packages: @shop/alone, @shop/core",
      "",
    ].join("\n"),
  );
  expect(await ask("graph", "--format", "mermaid")).toContain(
    '  n3 -.->|"tests, docs"| n1\n',
  );
});

test("a change doesn't affect a dependent that loads only unchanged modules", async () => {
  await using dir = await shopWithChange({
    branch: "modules",
    from: "main",
    files: {
      "packages/ui/index.js": "import './logo.js';\n",
      "packages/ui/logo.js": "import '@shop/alone';\n",
      "packages/ui/text.js": "",
      "packages/app/index.js": "import '@shop/ui/text.js';\n",
    },
  });
  gitIn(dir.path, "checkout", "--quiet", "modules");
  await writeFiles(dir.path, { "packages/alone/index.js": "" });
  const ask = async (...argv: string[]) =>
    (await run({ cwd: dir.path }, ...argv, "--since", "HEAD")).stdout;
  expect(await ask("why-not", "@shop/app")).toBe(
    [
      "@shop/app (packages/app) is not affected:",
      "- none of its files changed (1 other file did), and its external packages resolve as before",
      "- none of its dependencies, direct or indirect (2 packages), is affected, except in tests or modules that it doesn't use: @shop/ui",
      "- affected packages: @shop/alone, @shop/ui",
      "",
    ].join("\n"),
  );
  await writeFiles(dir.path, {
    "packages/app/menu.js": "import '@shop/ui';\n",
  });
  expect(await ask("why", "@shop/app", "--all")).toBe(
    [
      "  packages/app/menu.js (added)",
      "@shop/app",
      "",
      "  packages/alone/index.js (modified)",
      "@shop/alone",
      "  <- @shop/ui (source: packages/ui/logo.js:1)",
      "    <- @shop/app (dependencies: @shop/ui@workspace:^)",
      "",
    ].join("\n"),
  );
});
