import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { keepCompiledOption } from "./keep-compiled-option.js";

/** A program that prints what it can find out about its surroundings. It is as long as Yarn. */
const program = (answer: string, more = "") => `#!/usr/bin/env node
function never() { ${"'padding';".repeat(60_000)} }
const { basename } = require("node:path");
console.log("${answer}", require.main === module, this === exports, basename(__filename), process.argv[2]);
${more}
throw new Error("fails");
`;

test("a program in the cache behaves the same, and is identified by its text, not by its length", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, `a "quoted" folder`);
  const hook = join(folder, "main.cjs");
  await mkdir(folder);
  const ours = /"(.*)"/.exec(keepCompiledOption())?.[1] ?? "";
  await copyFile(ours, hook);
  const file = join(dir.path, "yarn.js");
  const run = (node: string | undefined) => {
    try {
      execFileSync(process.execPath, [file, "install"], {
        env: { NODE_OPTIONS: node, NODE_NO_WARNINGS: "1" },
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return { stdout, where: /yarn\.js:\d+:\d+/.exec(stderr)?.[0] };
    }
    throw new Error("it did not fail");
  };
  const option = `--require "${hook.replace(/["\\]/g, "\\$&")}"`;
  await writeFile(file, program("one"));
  const plain = run(undefined);
  expect(plain).toEqual({
    stdout: "one true true yarn.js install\n",
    where: "yarn.js:6:7",
  });
  expect(run(option)).toEqual(plain);
  const kept = await readdir(join(folder, "kept"));
  expect(kept).toHaveLength(1);
  expect(run(option)).toEqual(plain);
  expect(await readdir(join(folder, "kept"))).toEqual(kept);
  await writeFile(file, program("two"));
  expect(run(option).stdout).toBe("two true true yarn.js install\n");
  const both = await readdir(join(folder, "kept"));
  await writeFile(file, program("six", "void import('node:os');"));
  expect(run(option).stdout).toBe("six true true yarn.js install\n");
  expect(await readdir(join(folder, "kept"))).toEqual(both);
});

// V8 drops the compiled code of functions that haven't run for a while, when it collects garbage.
test("a program that leaves much garbage is cached completely, too", async () => {
  await using dir = await tempDir();
  const [, ours = ""] = /"(.*)"/.exec(keepCompiledOption()) ?? [];
  const file = join(dir.path, "yarn.js");
  const code = "globalThis.x = 1;".repeat(40_000);
  const rounds = "let rounds = Number(process.argv[2]);";
  await writeFile(
    file,
    `${rounds} ${code} (function leave() { if (rounds-- > 0) setImmediate(leave, new Array(2e5).fill(0)); })();`,
  );
  const sizes: number[] = [];
  for (const round of ["0", "80"]) {
    const folder = join(dir.path, round);
    await mkdir(folder);
    await copyFile(ours, join(folder, "main.cjs"));
    const args = ["--max-old-space-size=16", "--require"];
    execFileSync(process.execPath, [
      ...args,
      ...[join(folder, "main.cjs"), file, round],
    ]);
    // Node 22 and later cache compiled code themselves, in a folder below.
    const kept = await readdir(join(folder, "kept"), {
      recursive: true,
      withFileTypes: true,
    });
    for (const each of kept.filter((entry) => entry.isFile()))
      sizes.push((await stat(join(each.parentPath, each.name))).size);
  }
  expect(sizes).toHaveLength(2);
  const [with0 = 0, with80 = 0] = sizes;
  expect(with0).toBeGreaterThan(100_000);
  expect(with80).toBeGreaterThan(0.9 * with0);
});

test("the option names the file's location", () => {
  expect(keepCompiledOption()).toBe(
    `--require "${fileURLToPath(new URL("./keep-compiled/main.cjs", import.meta.url))}"`,
  );
});
