import { beginningAndSuffix } from "../reference.js";
import { expect, test } from "@jest/globals";
import { parseSync } from "oxc-parser";
import { scanSource } from "./source.js";

/** One row: a file's name, its text, and `kind specifier` of each reference (`~` before what is partial). */
const ROWS: readonly [name: string, text: string, ...expected: string[]][] = [
  ["a.ts", `import a from "m";`, "import m"],
  [
    "a.ts",
    `import "m"; import * as b from './b.js'`,
    "import m",
    "import ./b.js",
  ],
  [
    "a.ts",
    `import type { A } from "m"; import { type B } from "n";`,
    "import m",
    "import n",
  ],
  [
    "a.ts",
    `export * from "m"; export { x } from 'n'; export type { Y } from "o"`,
    "export m",
    "export n",
    "export o",
  ],
  [
    "a.ts",
    `import data from "./data.json" with { type: "json" };`,
    "import ./data.json",
  ],
  [
    "a.ts",
    `import fs = require("m"); export import z = require("z");`,
    "import m",
    "import z",
  ],
  [
    "a.ts",
    `let x: import("m").T; let y: typeof import('n');`,
    "type m",
    "type n",
  ],
  ["a.ts", `declare module "m" { export const x: 1 }`, "type m"],
  [
    "a.ts",
    `await import("m"); import(\`./n\`)`,
    "dynamic-import m",
    "dynamic-import ./n",
  ],
  [
    "a.ts",
    "import(`../x/${y}/z.js`); import('../w/' + v)",
    "dynamic-import ~../x/…/z.js",
    "dynamic-import ~../w/",
  ],
  ["a.ts", "import(x); require(y); import(`${z}/a`)", "own-guess ~./"],
  [
    "a.ts",
    "load(join(__dirname, x)); run(dirname(import.meta.dirname))",
    "own-guess ~./",
    "own-guess ~../",
  ],
  [
    "a.ts",
    "const here = __dirname; const a = join(here, './b.js')",
    "path-string ./b.js",
  ],
  ["a.ts", "export const here = __dirname", "own-guess ~./"],
  [
    "a.ts",
    "join(dirname(dirname(fileURLToPath(import.meta.url))), 'b'); join(dirname(__dirname), '..', 'c')",
    "path-string ../b",
    "path-string ../../c",
  ],
  ["a.ts", "new Worker(find('b.mjs'))", "own-guess ./b.mjs"],
  ["a.ts", "const r = createRequire(import.meta.url); r('./c')", "require ./c"],
  ["a.ts", `import(/* webpackChunkName: "q" */ "m")`, "dynamic-import m"],
  [
    "a.js",
    `const a = require("m"), b = require.resolve('./n'); module.require("o")`,
    "require m",
    "require ./n",
    "require o",
  ],
  ["a.js", 'const r = require\n("m")', "require m"],
  [
    "a.mjs",
    `import { createRequire } from "node:module";\nconst load = createRequire(import.meta.url);\nload("m"); load.resolve("n"); createRequire(x)("o")`,
    "import node:module",
    "require m",
    "require n",
    "require o",
  ],
  ["a.mjs", `import.meta.resolve("m")`, "require m"],
  [
    "a.js",
    "class { import(`../d/${x}`); f(`../e${y}`); from '../f' } <not parsed>",
    "import ~../d/",
    "path-string ~../e",
    "import ../f",
  ],
  [
    "a.mjs",
    `new URL("../x.json", import.meta.url); new URL("/a", base)`,
    "url ../x.json",
  ],
  [
    "a.mjs",
    `glob(new URL("../*/src/*.js", import.meta.url).pathname)`,
    "glob ~../",
  ],
  [
    "a.ts",
    `jest.mock("m", () => 1); vi.doMock('../n'); jest.requireActual<T>("o"); mock.module("p")`,
    "mock m",
    "mock ../n",
    "mock o",
    "mock p",
  ],
  [
    "a.ts",
    `import.meta.glob(["../d/*.ts", "!../d/x.ts"]); require.context("../e", true)`,
    "dynamic-import ~../d/",
    "require ~../e/",
  ],
  [
    "a.js",
    `/** @type {import("m").T} */ let x; /** @jsxImportSource n */`,
    "type m",
    "import n",
  ],
  [
    "a.test.js",
    `/** @import { T } from "m" */\n// @vitest-environment n\ntest();`,
    "type m",
    "config n",
  ],
  [
    "babel.config.js",
    `module.exports = { presets: ["@m", "@m/b"], plugins: [["x", {}]] };`,
    "config @m",
    "config @m/babel-preset",
    "config @m/b",
    "config @m/babel-preset-b",
    "config x",
    "config eslint-plugin-x",
    "config babel-plugin-x",
  ],
  ["a.test.js", `/** @jest-environment ./env.js */`, "path-string ./env.js"],
  [
    "a.js",
    `fs.readFile(path.join(__dirname, "..", "x", "y.txt"))`,
    "path-string ../x/y.txt",
  ],
  [
    "a.js",
    `path.resolve(import.meta.dirname, "data"); path.join(here, "../up", name)`,
    "path-string ./data",
    "glob ~../up/",
  ],
  [
    "a.js",
    "const root = path.join(__dirname, '..', '..'); f(path.join(root, 'm/x.js')); f(`${root}/n`); f(root + '/o/' + p)",
    "path-string ../..",
    "path-string ../../m/x.js",
    "root-guess m/x.js",
    "path-string ../../n",
    "glob ~../../o/",
  ],
  [
    "a.js",
    "const root = path.resolve(__dirname, '..', '..') + path.sep; g(root)",
    "path-string ../..",
  ],
  [
    "a.mjs",
    "const root = new URL('..', import.meta.url); f(new URL('m/x.js', root)); f(join(dirname(fileURLToPath(import.meta.url)), '../n'))",
    "path-string ..",
    "path-string ../m/x.js",
    "root-guess m/x.js",
    "path-string ../n",
  ],
  [
    "a.js",
    "f(`${__dirname}/../m`); f(__dirname + '/../n'); f(`${x}/../o`); f(x + '/../p'); f('..\\\\q\\\\r'); f(join(process.cwd(), 'docs'))",
    "path-string ../m",
    "path-string ../n",
    "path-string ../o",
    "path-string ../p",
    "path-string ../q/r",
    "path-string ./docs",
  ],
  [
    "a.js",
    "f('../*/src/**/*.ts'); f(['../m/{a,b}.ts', '!../n/*'])",
    "glob ~../….ts",
    "glob ~../m/….ts",
  ],
  [
    "a.test.js",
    `read("docs/guide.md")`,
    "path-string ./docs/guide.md",
    "root-guess docs/guide.md",
  ],
  [
    "a.js",
    `run("yarn", ["workspace", "@m/a"]); log("@m/a is not one")`,
    "script @m/a",
    "script ~@m/a/",
    "name-string @m/a",
  ],
  [
    "playwright.config.ts",
    `export default { webServer: { command: "yarn workspace m start -c ../c.json" } }; say("yarn is ../here");`,
    "script m",
    "script ../c.json",
    "script ../here",
  ],
  [
    "jest.config.js",
    `export default { preset: "m", extends: ["@n"], setupFiles: ["<rootDir>/../s.js"], moduleNameMapper: { "^@x/(.*)$": "<rootDir>/../$1/src" }, alias: { y: "../y" } }`,
    "extends m",
    "extends @n",
    "extends @n/eslint-config",
    "extends @n/commitlint-config",
    "path-string ./../s.js",
    "tsconfig-paths @x/*=./../*/src",
    "path-string ./../$1/src",
    "tsconfig-paths y=../y",
    "tsconfig-paths y/*=../y/*",
    "path-string ../y",
  ],
  [
    "a.js",
    'spread(...["..", "..", "b"]); join(root(), "packages", "b", "x.js")',
    "path-string ../../b",
    "root-guess packages/b/x.js",
    "own-guess ./x.js",
  ],
  [
    "a.js",
    "readdirSync(join(__dirname, '../..')); glob.sync('*', { cwd: join(__dirname, '..') })",
    "glob ~../../",
    "path-string ../..",
    "tsconfig-paths cwd=..",
    "tsconfig-paths cwd/*=../*",
    "glob ~../",
    "path-string ..",
  ],
  [
    "a.js",
    "exec(`node ${__dirname}/../m.js`)",
    "own-guess ~./",
    "path-string ../m.js",
  ],
  [
    "a.js",
    "read(`${__dirname}/../../${x}/src/y.js`)",
    "glob ~../../",
    "root-guess src/y.js",
  ],
  [
    "a.js",
    'sh("rm -rf x && yarn workspace @m/b build"); sh("A=1 yarn workspace @m/c x")',
    "script @m/b",
    "script @m/c",
    "script ~@m/c/",
  ],
  [
    "a.js",
    'f("src/../../b/x.js")',
    "path-string src/../../b/x.js",
    "root-guess src/../../b/x.js",
  ],
  [
    "a.config.js",
    'export default { include: ["../b/**/*.ts"], ignores: ["packages/c/**"], test: "./d" }',
    "glob ~../b/….ts",
    "selection ./d",
  ],
  [
    "a.config.js",
    'export default { test: ["packages/a", x ? "packages/b" : null].filter(Boolean).map(normalize), y: "../c" }',
    "selection ./packages/a",
    "selection ./packages/b",
    "tsconfig-paths y=../c",
    "tsconfig-paths y/*=../c/*",
    "path-string ../c",
  ],
  [
    "a.js",
    'readFileSync(path.join(root, "../..", name, "package.json")); find(join(__dirname, "..", name + ".json"));',
    "glob ~../../…/package.json",
    "path-string ~../",
  ],
  [
    "a.js",
    "require(`../${x}/a.json`); require.resolve(`../${x}/b.json`); readFileSync(new URL(`../c/${x}.txt`, import.meta.url)); readFile(`../d/${x}.json`, y); dirname(`../e/${x}.json`)",
    "require ~../…/a.json",
    "require ~../",
    "glob ~../c/….txt",
    "cwd-path ~../d/….json",
    "glob ~../d/….json",
    "glob ~../e/",
  ],
  [
    "a.js",
    'const folder = x ? "p" : "q", dir = folder + "/" + y(); load(new URL("../" + dir, import.meta.url))',
    "glob ~../p/",
    "glob ~../q/",
  ],
  [
    "a.config.js",
    'export default [globalIgnores(["packages/a/b", "!../c"]), load(["packages/d/e"])]; const ignoredPaths = ["packages/f"], paths = ["packages/g"];',
    "root-guess packages/d/e",
    "root-guess packages/g",
  ],
  [
    "a.js",
    "const p = `${x}/a`, q = '../b/c', s = './d'; path.join('a', 'b')",
    "path-string ../b/c",
    "path-string ./d",
    "root-guess a/b",
  ],
  [
    "a.js",
    `// import "no"\n/* require("no") */ const s = "import 'no'"; const from = "x"; // from "y"`,
  ],
  [
    "a.tsx",
    `import React from "react";\nexport const A = () => <p>import "no" it's {require("yes")}</p>;`,
    "import react",
    "require yes",
  ],
  ["a.ts", `@dec("x") class A { @dec() b = 1 }\nimport "m";`, "import m"],
  ["a.js", `#!/usr/bin/env node\nimport "m";`, "import m"],
  ["a.ts", `import "m";\r\nimport "n";\r\n`, "import m", "import n"],
  ["a.ts", `const é = "𝒳"; import "m"`, "import m"],
  ["a.js", `return require("m")`, "require m"],
  ["a.js", `type A = string; import x from "m";`, "import m"],
  ["a.js", `with (a) {} const b = 010; require("m")`, "require m"],
  ["a.mts", `const f = <T,>(x: T) => x; import "m"`, "import m"],
  ["a.ts", `import "a\\u002fb"`, "import a/b"],
  ["a.ts", `export const nothing = 1;`],
];

test.each(ROWS)("%s: %s", (name, text, ...expected) => {
  expect(written(scanSource(name, text, parseSync))).toEqual(expected);
});

/** Which path a name or an expression comes to. */
const PLACES: readonly (readonly [text: string, ...expected: string[]])[] = [
  [
    "join(__dirname, '../..', x ? 'a' : 'b', `c-${y}/d.js`)",
    "glob ~../../a/c-",
    "glob ~../../b/c-",
  ],
  ["join(x ?? __dirname, '..', 'b')", "path-string ../b"],
  [
    "join(__dirname, '..', x ? 'b' : y)",
    "path-string ../b",
    "path-string ~../",
  ],
  [
    "const dir = join(__dirname, '../..'); function list(dir) { readdirSync(dir) }",
    "path-string ../..",
  ],
  [
    "function list(dir) { readdirSync(dir) } list(join(__dirname, '../../c'))",
    "glob ~../../c/",
    "path-string ../../c",
  ],
  [
    "const list = (dir, y = 1) => readdirSync(dir); list(join(__dirname, '../..'), 2)",
    "glob ~../../",
    "path-string ../..",
  ],
  [
    "function list(dir = join(__dirname, '../..')) { readdirSync(dir) }",
    "path-string ../..",
    "glob ~../../",
  ],
  [
    "function f() { return readdirSync(root) } const root = join(__dirname, '../..')",
    "glob ~../../",
    "path-string ../..",
  ],
  [
    "let root; root = join(__dirname, '../..'); readdirSync(root)",
    "path-string ../..",
    "glob ~../../",
  ],
  ["const NAME = 'b'; join(__dirname, '..', NAME, x)", "glob ~../b/"],
  [
    "const paths = { root: join(__dirname, '../..') }; readdirSync(paths.root)",
    "tsconfig-paths root=../..",
    "tsconfig-paths root/*=../../*",
    "path-string ../..",
    "glob ~../../",
  ],
  [
    "const root = new URL('../..', import.meta.url); read(new URL(name, root)); say(root.href)",
    "path-string ../..",
    "path-string ~../../",
  ],
  [
    "let a = join(a, '../x'); f(join(a, '../y'))",
    "path-string ../x",
    "path-string ../y",
  ],
  [
    "{ var root = join(__dirname, '../..'); } readdirSync(root)",
    "path-string ../..",
    "glob ~../../",
  ],
  ["readFileSync(join(__dirname, '../..', name))", "path-string ~../../"],
  [
    'get("plugin", x); function get(type, name) { return join(__dirname, "../../packages", `babel-${type}-${name}/lib/index.js`) } get("preset", y)',
    "glob ~../../packages/babel-plugin-",
    "glob ~../../packages/babel-preset-",
    "root-guess lib/index.js",
  ],
  [
    'export function get(type) { return join(__dirname, "..", type, "x") } get("plugin")',
    "glob ~../",
  ],
];

test.each(PLACES)("places: %s", (text, ...expected) => {
  expect(written(scanSource("a.ts", text, parseSync))).toEqual(expected);
});

test("a file that cannot be parsed is searched for quoted words, and says so", () => {
  const facts = scanSource(
    "a.ts",
    `import "m"; const = ; require('../x'); "../y/z" // from "n"\n"word"; x.toString("w")`,
    parseSync,
  );
  expect(written(facts)).toEqual([
    "import m",
    "require ../x",
    "path-string ../y/z",
    "import n",
  ]);
  expect(facts.unparsed).toBe("Unexpected token");
});

test("so is one of which the parser makes something broken", () => {
  const facts = scanSource("a.jsx", 'import("m"); <\\u{2F804} />', parseSync);
  expect(written(facts)).toEqual(["import m"]);
  expect(facts.unparsed).toMatch(/^Bad Unicode escape in JSON/);
});

test("places are lines and UTF-16 columns of the specifier's first character", () => {
  const text = `\r\nconst é = "𝒳"; import "m";\r\n  export {\r\n} from "./n";`;
  expect(
    scanSource("a.ts", text, parseSync).references.map(({ line, column }) =>
      text.split("\n")[line - 1]?.slice(column - 1),
    ),
  ).toEqual([`m";\r`, `./n";`]);
});

function written({
  references,
}: ReturnType<typeof scanSource>): readonly string[] {
  return references.map(({ kind, specifier, partial }) => {
    const [beginning, suffix] = beginningAndSuffix(specifier);
    return `${kind} ${partial === true ? "~" : ""}${beginning}${suffix === "" ? "" : `…${suffix}`}`;
  });
}
