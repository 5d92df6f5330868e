import { execFile } from "node:child_process";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { tempDir, writeFiles } from "@skein/testing";

const loader = fileURLToPath(
  new URL("../../../scripts/release/load-compiled.cjs", import.meta.url),
);

// V8 accepts cached code for any source of the same length.
test("a program that changed is compiled again, even if its length is the same", async () => {
  await using dir = await tempDir();
  const program = join(dir.path, "program.cjs");
  const start = join(dir.path, "start.cjs");
  await writeFile(
    start,
    `require(${JSON.stringify(loader)})(${JSON.stringify(program)}, ["list"]).say();\n`,
  );
  const output: string[] = [];
  for (const word of ["one", "one", "two", "two"]) {
    await writeFile(
      program,
      `exports.say = () => console.log(${JSON.stringify(word)});\n`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      start,
      "list",
    ]);
    output.push(stdout);
  }
  expect(output).toEqual(["one\n", "one\n", "two\n", "two\n"]);
  // Node 22 and later cache compiled code themselves.
  if (process.versions.node.startsWith("20."))
    expect((await readdir(dir.path)).map((name) => name.split("-")[0])).toEqual(
      ["program.cjs", "program.cjs.v8", "start.cjs"],
    );
});

test.each([
  ["list", "", ["part-list", "program-list"]],
  ["other", "worth it", ["part-others", "program-others"]],
  ["other", "", []],
])(
  "the command %s (%j) caches compiled code of both files: %j",
  async (command, worth, kept) => {
    await using dir = await tempDir();
    const load = `require(${JSON.stringify(loader)})`;
    const files = {
      "start.cjs": `${load}(__dirname + "/program.cjs", ["list"]);`,
      "program.cjs": `exports.isWorth = () => process.argv[3] === "worth it"; ${load}(__dirname + "/part.cjs");`,
      "part.cjs": "",
    };
    await writeFiles(dir.path, files);
    const args = [join(dir.path, "start.cjs"), command, worth];
    await promisify(execFile)(process.execPath, args);
    const names = await readdir(dir.path);
    // Node 22 and later cache compiled code themselves.
    if (process.versions.node.startsWith("20."))
      expect(
        names.flatMap((name) => {
          const [, file, of] = /^(\w+)\.cjs\.v8-.*-(\w+)$/.exec(name) ?? [];
          return file && of ? [`${file}-${of}`] : [];
        }),
      ).toEqual(kept);
  },
);

// V8 drops the compiled code of functions that haven't run for a while, when it collects garbage.
test("a program that leaves much garbage is cached completely, too", async () => {
  await using dir = await tempDir();
  const program = join(dir.path, "program.cjs");
  const start = join(dir.path, "start.cjs");
  await writeFiles(dir.path, {
    "start.cjs": `require(${JSON.stringify(loader)})(${JSON.stringify(program)}, ["none", "much"]);`,
    "program.cjs": `let rounds = process.argv[2] === "much" ? 80 : 0; ${"globalThis.x = 1;".repeat(40_000)}
      (function leave() { if (rounds-- > 0) setImmediate(leave, new Array(2e5).fill(0)); })();`,
  });
  const sizes: number[] = [];
  for (const word of ["none", "much"]) {
    const args = ["--max-old-space-size=16", start, word];
    await promisify(execFile)(process.execPath, args);
    const kept = (await readdir(dir.path)).find((name) => name.endsWith(word));
    if (kept) sizes.push((await stat(join(dir.path, kept))).size);
  }
  // Node 22 and later cache compiled code themselves, elsewhere.
  const isOurs = process.versions.node.startsWith("20.");
  expect(sizes).toHaveLength(isOurs ? 2 : 0);
  const [none = Infinity, much = Infinity] = sizes;
  expect(none).toBeGreaterThan(1_000_000);
  expect(much).toBeGreaterThanOrEqual(0.9 * none);
});
