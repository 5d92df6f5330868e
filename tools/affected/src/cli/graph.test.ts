import { existsSync } from "node:fs";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, json, tempDir, writeFiles } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run, shop, shopWithChange, shown } from "./affected.test.kit.js";

test("if nothing changed, the graph and the filters still include edges from sources", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: { ...shop(), "packages/alone/index.js": "import '@shop/core';\n" },
    },
  ]);
  const where = { cwd: dir.path };
  const drawn = await run(where, "graph", "--format", "json", "--base", "HEAD");
  const { edges } = JSON.parse(drawn.stdout) as { edges: unknown };
  expect(edges).toContainEqual({
    from: "@shop/alone",
    to: "@shop/core",
    kind: "source",
  });
  const filter = "affected() | dependents(@shop/core, 1)";
  const listed = await run(where, "list", "--base", "HEAD", "--filter", filter);
  expect(listed.stdout).toBe("@shop/alone\n@shop/ui\n");
});

test("graph draws two edges to one package once, and names the working tree", async () => {
  await using dir = await tempDir();
  const dependencies = { "@shop/core": "*", other: "link:../core" };
  buildHistory(dir.path, [
    {
      files: {
        ...shop(),
        "packages/alone/package.json": json({
          name: "@shop/alone",
          dependencies,
        }),
      },
    },
  ]);
  const ask = async (...argv: string[]) => {
    const args = ["graph", "--format", "json", "--base", "HEAD", ...argv];
    const { stdout } = await run({ cwd: dir.path }, ...args);
    const { head, edges } = JSON.parse(stdout) as {
      head: string;
      edges: { from: string }[];
    };
    return [
      head.replace(/[0-9a-f]{10}/, "…"),
      edges.filter(({ from }) => from === "@shop/alone"),
    ];
  };
  const edge = { from: "@shop/alone", to: "@shop/core", kind: "dependencies" };
  expect(await ask()).toEqual(["HEAD (…) with the working tree", [edge]]);
  expect(await ask("--committed")).toEqual(["HEAD (…)", [edge]]);
});

test.each([
  ["out/graph.dot", [], /^digraph /],
  ["graph.html", [], /^<!doctype html>/],
  ["graph.json", [], /^\{/],
  ["graph.mmd", [], /^---\ntitle: /],
  ["graph.html", ["--format", "dot"], /^digraph /],
])(
  "graph writes %s in the format of its ending, unless %j names another one",
  async (file, options, beginning) => {
    await using dir = await shopWithChange();
    const where = { cwd: dir.path };
    expect(await shown(where, "graph", "-o", file, ...options)).toBe(
      `0 stderr: wrote ${dir.path}/${file}\n`,
    );
    const text = await readFile(join(dir.path, file), "utf8");
    expect(text).toMatch(beginning);
    expect(text).toContain("@shop/core");
  },
);

test("graph --tasks draws scripts and their order; --open opens the page in the browser", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  await writeFiles(dir.path, {
    "skein.json": json({ pipeline: { test: { dependsOn: ["^test"] } } }),
    "browser.sh":
      '#!/bin/sh\ncp "$1" "$(dirname "$0")/opened.tmp" && mv "$(dirname "$0")/opened.tmp" "$(dirname "$0")/opened"\n',
  });
  await chmod(join(dir.path, "browser.sh"), 0o755);
  const where = {
    cwd: dir.path,
    env: { BROWSER: join(dir.path, "browser.sh") },
  };
  const { stdout } = await run(
    where,
    ...["graph", "--tasks", "test", "--committed", "--format", "json"],
  );
  const drawn = JSON.parse(stdout) as unknown;
  expect(misfits("graph", drawn)).toEqual([]);
  expect(drawn).toMatchObject({
    title: "shop: test",
    packages: [
      { name: "@shop/core#test", dir: "packages/core", changed: true },
      { name: "@shop/ui#test", affected: true },
      { name: "@shop/app#test", affected: true },
    ],
    edges: [
      { from: "@shop/ui#test", to: "@shop/core#test" },
      { from: "@shop/app#test", to: "@shop/ui#test" },
    ],
  });
  const opened = await run(where, "graph", "--open", "--tasks", "test");
  expect(opened).toMatchObject({
    exitCode: 0,
    stderr: `wrote ${dir.path}/.git/skein/graph.html\n`,
  });
  while (!existsSync(join(dir.path, "opened"))) await nextTurn(20);
  expect(await readFile(join(dir.path, "opened"), "utf8")).toMatch(
    /^<!doctype html>/,
  );
  expect(
    await run({ ...where, env: { BROWSER: "/nowhere" } }, "graph", "--open"),
  ).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      "affected: /nowhere does not start\nhint: open ",
    ) as unknown,
  });
});
