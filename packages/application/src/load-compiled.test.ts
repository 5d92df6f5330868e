import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { tempDir, writeFiles } from "@skein/testing";

const loader = fileURLToPath(
  new URL("../../../scripts/load-compiled.cjs", import.meta.url),
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
  const said: string[] = [];
  for (const word of ["one", "one", "two", "two"]) {
    await writeFile(
      program,
      `exports.say = () => console.log(${JSON.stringify(word)});\n`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      start,
      "list",
    ]);
    said.push(stdout);
  }
  expect(said).toEqual(["one\n", "one\n", "two\n", "two\n"]);
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
