import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { parseSync } from "oxc-parser";
import { factsOf } from "./facts.test.support.js";
import { fileKind, type FileKind } from "./file-kinds.js";
import { openScanner } from "./scanners.js";

const FOLDER = fileURLToPath(new URL("../../fixtures/scan", import.meta.url));
const REWRITES =
  process.env["WRITE_FACTS"] !== undefined && process.env["CI"] === undefined;

const scanBytes = openScanner(parseSync);

const names = new Set(
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map((file) => relative(FOLDER, join(file.parentPath, file.name)))
    // If one file of a pair is missing, the test of the pair fails because it can't read it.
    .map((path) => path.replace(/(?:\.facts)?\.txt$/, "")),
);
if (names.size === 0) throw new Error(`${FOLDER} contains no pair of files`);

test.each([...names].map((name) => [dirname(name), basename(name)] as const))(
  "%s: %s",
  (topic, name) => {
    const path = join(FOLDER, topic, name);
    const facts = factsOf(
      join(topic, name),
      readFileSync(`${path}.txt`, "utf8"),
    );
    const found = facts.length === 0 ? "nothing\n" : `${facts.join("\n")}\n`;
    if (REWRITES) writeFileSync(`${path}.facts.txt`, found);
    expect(found).toBe(readFileSync(`${path}.facts.txt`, "utf8"));
  },
);

// Editors hide these characters, and git changes them.
test("a byte order mark and Windows' ends of lines change no fact", () => {
  expect(factsOf("a.js", "\uFEFF#!/usr/bin/env node\nimport 'm';")).toEqual([
    "1 variable node",
    "2 import m",
  ]);
  expect(factsOf("a.ts", 'import "m";\r\nimport "n";\r\n')).toEqual([
    "1 import m",
    "2 import n",
  ]);
});

test("files that aren't scanned", () => {
  expect(
    [
      ...["README.md", "a.txt", "a.png", "src/a.tsx.snap", "yarn.lock"],
      ...["x/CHANGELOG.json", ".pnp.cjs", ".pnp.loader.mjs"],
      ...[".yarn/releases/yarn-4.18.1.cjs", "openapi-generator-ignore"],
    ].map((path) => fileKind(path, "100644")),
  ).toEqual(Array(10).fill(undefined));
  expect(fileKind("sub.ts", "160000")).toBeUndefined();
  expect(fileKind("any", "120000")).toBe("symlink");
});

test.each<[kind: FileKind, text: string]>([
  ["js", `import "../x"; f(${"'a' + ".repeat(50_000)}'b', require('q'));`],
  ["js", `import "../x"; f${".a()".repeat(50_000)}; require("q");`],
  ["tool", `{"extends":"../x","a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  // The parser would end the process by a signal.
  ...[
    `f(${"[".repeat(50_000)}${"]".repeat(50_000)}, require("../x"))`,
    `f(${"{x:(".repeat(50_000)}1${")}".repeat(50_000)}, require("../x"))`,
    `f(${"()=>".repeat(50_000)}require("../x"))`,
    `f(${"a?b:".repeat(50_000)}require("../x"))`,
    `f(${"<a>".repeat(50_000)}${"</a>".repeat(50_000)}, require("../x"))`,
  ].map((text): [FileKind, string] => ["js", text]),
])("%s that is nested too deeply to be walked is searched", (kind, text) => {
  const { references, unparsed } = scanBytes(kind, Buffer.from(text));
  expect(unparsed).toBe("nested too deeply");
  expect(references).toContainEqual(
    expect.objectContaining({ specifier: "../x" }),
  );
});

test("text in UTF-16 is read", () => {
  const text = Buffer.from('\uFEFFimport "../x";\n', "utf16le");
  expect(scanBytes("ts", text).references).toEqual([
    expect.objectContaining({ specifier: "../x", kind: "import" }),
  ]);
});

test("files that are too large or not text are counted, not read", () => {
  expect(scanBytes("js", Buffer.alloc(5_000_001, "x"))).toEqual({
    references: [],
    unparsed: "larger than 5000000 bytes",
  });
  expect(scanBytes("js", Buffer.from("import 'x'\0"))).toEqual({
    references: [],
    unparsed: "not text",
  });
});
