import { expect, test } from "@jest/globals";
import type { FileKind } from "./file-kinds.js";
import { scanForeignPrograms } from "./foreign-programs.js";

test.each<[kind: FileKind, text: string, ...programs: string[]]>([
  ["js", 'execSync("cargo build")', "*", "cargo"],
  ["ts", 'spawn("cargo", ["build"])', "*", "?cargo"],
  ["mjs", "await $`cd x && cargo build`", "*", "?cargo"],
  ["ts", 'run("go build ./...")', "go"],
  ["ts", 'const languages = ["ruby", "go"];', "?ruby", "?go"],
  ["ts", 'execSync("python x.py")', "*"],
  ["ts", 'spawn("python", ["-m", "build"])', "*", "?python"],
  ["ts", "// cargo build, as go does\nimport './cargo.js';"],
  ["settings.js", 'export default { run: "python3 -m x" }', "python3"],
  ["nameless", "all:\n\tcargo build\n\t./gradlew jar", "cargo", "gradlew"],
  ["text", "run: pip install x", "pip"],
  ["text", "cargoes and pythons"],
  ["style", "a { content: 'cargo build' }"],
])("%s: %j names %s %s", (kind, text, ...programs) => {
  expect(
    scanForeignPrograms(kind, text).map(({ specifier }) => specifier),
  ).toEqual(programs);
});
