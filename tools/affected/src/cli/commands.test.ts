import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  readFile,
  rename,
  symlink,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, json, tempDir, writeFiles } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shop, shopWithChange, shown } from "./affected.test.kit.js";

describe("audit", () => {
  const sneaky = {
    "packages/alone/index.js": "import { price } from '@shop/core';\n",
  };

  test("finds undeclared dependencies, and --fix declares them", async () => {
    await using dir = await shopWithChange();
    await writeFiles(dir.path, sneaky);
    const where = { cwd: dir.path };
    const found = await run(where, "audit", "--check");
    expect(found.exitCode).toBe(1);
    const reported = (await run(where, "audit", "--json")).stdout;
    const answer = JSON.parse(reported) as { problems: unknown[] };
    expect(misfits("audit", answer)).toEqual([]);
    expect(answer.problems).toMatchObject([
      {
        workspace: "@shop/alone",
        to: "@shop/core",
        fix: { range: "workspace:^" },
      },
    ]);
    expect(found.stdout).toContain(
      "packages/alone/index.js:1:24: @shop/alone uses @shop/core and does not declare it [undeclared-dependency]\n",
    );
    expect((await run(where, "audit", "--fix")).stderr).toBe(
      "1 problem\nfixed 1 manifest; now run `yarn install`\n",
    );
    expect(
      await readFile(join(dir.path, "packages/alone/package.json"), "utf8"),
    ).toContain('"@shop/core": "workspace:^"');
    expect(await shown(where, "audit", "--check")).toBe(
      "0 stderr: 0 problems\n",
    );
  });

  test("--fix follows links, keeps permissions, and never leaves the workspace", async () => {
    await using dir = await shopWithChange();
    await using elsewhere = await tempDir("skein-audit-");
    const manifest = join(dir.path, "packages/alone/package.json");
    const [inside, outside] = [
      join(dir.path, "alone.json"),
      join(elsewhere.path, "alone.json"),
    ];
    await writeFiles(dir.path, sneaky);
    await copyFile(manifest, outside);
    await rename(manifest, inside);
    await chmod(inside, 0o755);
    await symlink("../../alone.json", manifest);
    const fix = () => run({ cwd: dir.path }, "audit", "--fix");
    expect((await fix()).exitCode).toBe(0);
    expect(await readFile(inside, "utf8")).toContain('"@shop/core"');
    expect((await lstat(inside)).mode & 0o777).toBe(0o755);
    expect((await lstat(manifest)).isSymbolicLink()).toBe(true);

    const before = await readFile(outside, "utf8");
    await unlink(manifest);
    await symlink(outside, manifest);
    const { exitCode, stderr } = await fix();
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      "affected: packages/alone/package.json: it points outside the workspace\n",
    );
    expect(await readFile(outside, "utf8")).toBe(before);
  });

  test("reports globs of skein.json that claim files but match none", async () => {
    await using dir = await shopWithChange();
    const unowned = { "proto/**": ["@shop/ui"], "infra/**": "nothing" };
    const inputs = { test: ["!**", "*.js", "scr/**"] };
    await writeFiles(dir.path, {
      "skein.json": json({ affected: { unowned, inputs } }),
    });
    expect(await shown({ cwd: dir.path }, "audit", "--check")).toBe(`0 stderr: \
warning: skein.json: no file matches scr/** of "affected.inputs.test": correct it, or remove it
warning: skein.json: no file matches proto/** of "affected.unowned": correct it, or remove it
0 problems
`);
  });

  test("warns of files that could not be parsed, one by one if they are few", async () => {
    await using dir = await shopWithChange();
    const broken = (count: number) =>
      writeFiles(
        dir.path,
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `packages/alone/broken${at}.js`,
            "import {;\n",
          ]),
        ),
      );
    const warnings = async () =>
      (await run({ cwd: dir.path }, "audit")).stderr
        .split("\n")
        .filter((line) => line.startsWith("warning: "))
        .map((line) => line.replace(/ \(.*?\)/, ""));
    const of = (at: number) =>
      `warning: packages/alone/broken${at}.js could not be parsed, so its references may be incomplete`;
    await broken(3);
    expect(await warnings()).toEqual([of(0), of(1), of(2)]);
    await broken(9);
    expect(await warnings()).toEqual([
      ...[of(0), of(1), of(2)],
      "warning: 6 more files could not be parsed, so their references may be incomplete",
    ]);
  });

  test("its findings are edges, except with --no-source-edges", async () => {
    await using dir = await shopWithChange({
      branch: "change",
      files: sneaky,
    });
    gitIn(dir.path, "checkout", "--quiet", "change");
    await writeFiles(dir.path, { "packages/core/more.js": "" });
    const names = async (...more: string[]) =>
      (await run({ cwd: dir.path }, "list", "--since", "HEAD", ...more)).stdout;
    expect(await names()).toBe(
      "@shop/alone\n@shop/app\n@shop/core\n@shop/ui\n",
    );
    expect(await names("--no-source-edges")).toBe(
      "@shop/app\n@shop/core\n@shop/ui\n",
    );
  });
});

describe("run", () => {
  test("prints what it runs and why, in the order of the pipeline", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    await writeFiles(dir.path, {
      "skein.json": '{"pipeline":{"test":["^test"]}}',
    });
    const dry = await run(
      { cwd: dir.path },
      "test",
      "--since",
      "main",
      "--dry-run",
      "--filter",
      "@shop/*",
    );
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout.split("\n").map((line) => line.split(":")[0])).toEqual([
      "@shop/alone#test",
      "@shop/core#test",
      "@shop/ui#test",
      "@shop/app#test",
      "",
    ]);
    expect(dry.stderr).toContain("everything: skein.json changed");
  });

  test("returns 1 if a script fails, and writes its reports", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    await writeFiles(dir.path, {
      "packages/alone/package.json":
        '{"name":"@shop/alone","scripts":{"test":"node -e \\"process.exit(3)\\""}}',
    });
    const ran = await run(
      { cwd: dir.path },
      ...["test", "--since", "HEAD", "--junit", "out/junit.xml"],
      ...["--report", "out/report.json"],
    );
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain("@shop/alone#test");
    const report = JSON.parse(
      await readFile(join(dir.path, "out/report.json"), "utf8"),
    ) as { units: { id: string; status: string; exitCode: number }[] };
    expect(
      report.units.map(({ id, status, exitCode }) => ({
        id,
        status,
        exitCode,
      })),
    ).toEqual([{ id: "@shop/alone#test", status: "failed", exitCode: 3 }]);
    expect(await readFile(join(dir.path, "out/junit.xml"), "utf8")).toContain(
      "<failure",
    );
  });

  test("asks for an install if a program is missing and no package is installed", async () => {
    await using dir = await shopWithChange();
    gitIn(dir.path, "checkout", "--quiet", "change");
    await writeFiles(dir.path, {
      "packages/core/package.json": json({
        name: "@shop/core",
        scripts: { lint: "no-such-program" },
      }),
    });
    const lint = async () => {
      const { exitCode, stderr } = await run({ cwd: dir.path }, "run", "lint");
      expect(exitCode).toBe(1);
      return stderr;
    };
    const hint =
      "hint: nothing is installed in this workspace: run `yarn install` first\n";
    expect(await lint()).toContain(hint);
    await writeFiles(dir.path, { "node_modules/.yarn-state.yml": "" });
    expect(await lint()).not.toContain("hint:");
  });

  test("returns 2 if no selected package has the script, except with --if-present", async () => {
    await using dir = await tempDir();
    buildHistory(dir.path, [
      {
        files: {
          ...shop(),
          "package.json": json({
            name: "shop",
            workspaces: ["packages/*"],
            scripts: { test: "jest" },
          }),
          "packages/alone/package.json": json({ name: "@shop/alone" }),
        },
      },
    ]);
    await writeFiles(dir.path, { "packages/alone/index.js": "" });
    const ask = (...more: string[]) =>
      run({ cwd: dir.path }, "test", "--since", "HEAD", ...more);
    expect(await ask()).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        'affected: the selected package @shop/alone has no script called "test"\n' +
        "hint: the root has `yarn test` (jest); with --if-present, this is not an error\n",
    });
    const present = await ask("--if-present");
    expect(present.exitCode).toBe(0);
    expect(present.stderr).toContain(
      '\nthe selected package @shop/alone has no script called "test"\n',
    );
  });

  test("returns 0 if nothing is affected", async () => {
    await using dir = await shopWithChange();
    const ran = await run({ cwd: dir.path }, "test");
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain("no package is affected\n");
  });
});

describe("a glob in `workspaces` that matches nothing", () => {
  const files = {
    "package.json": json({ name: "top", workspaces: ["packages/*", "apps/*"] }),
    "yarn.lock": ["top@workspace:.", "a@workspace:packages/a"]
      .map((locator) => `"${locator}":\n  resolution: "${locator}"\n`)
      .join("\n"),
    "packages/a/package.json": json({ name: "a", scripts: { test: "true" } }),
    "packages/a/index.js": "1;\n",
  };
  const words =
    'warning: package.json: no workspace matches apps/* of "workspaces": correct it, or remove it';
  const warnings = (stderr: string) =>
    stderr.split("\n").filter((line) => line.startsWith("warning: "));

  test("every command reports it in the same words, also with a cached graph", async () => {
    await using dir = await tempDir();
    buildHistory(dir.path, [
      { files },
      { branch: "change", from: "main", files: { "packages/a/b.js": "1;\n" } },
    ]);
    gitIn(dir.path, "checkout", "--quiet", "change");
    const kept = join(dir.path, ".git/skein/graph.bin");
    for (const [isKept, argv] of [
      [false, ["why", "a"]],
      [false, ["graph", "--format", "json"]],
      [false, ["test", "--dry-run"]],
      [false, ["audit"]],
      [false, ["list", "--committed"]],
      [true, ["list", "--committed"]],
      [true, ["list"]],
      [true, ["list", "--no-source-edges"]],
    ] as const) {
      expect([argv, existsSync(kept)]).toEqual([argv, isKept]);
      const { exitCode, stderr } = await run({ cwd: dir.path }, ...argv);
      expect([argv, exitCode, ...warnings(stderr)]).toEqual([argv, 0, words]);
    }
    const { stdout } = await run({ cwd: dir.path }, "list", "--json");
    const answer = JSON.parse(stdout) as { warnings: unknown };
    expect(answer.warnings).toEqual([words.replace("warning: ", "")]);
  });

  test("isn't reported any more with a cached graph after a workspace was added that yarn.lock doesn't list", async () => {
    await using dir = await tempDir();
    buildHistory(dir.path, [{ files }]);
    await writeFiles(dir.path, { "packages/a/b.js": "1;\n" });
    const list = () => run({ cwd: dir.path }, "list");
    expect(warnings((await list()).stderr)).toEqual([words]);
    await writeFiles(dir.path, { "apps/b/package.json": json({ name: "b" }) });
    gitIn(dir.path, "add", "apps");
    gitIn(dir.path, "commit", "--quiet", "--message", "b");
    expect(warnings((await list()).stderr)).toEqual([
      "warning: yarn.lock has no entry for the workspace apps/b: run `yarn install`",
    ]);
  });
});
