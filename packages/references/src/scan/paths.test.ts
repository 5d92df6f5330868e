import { expect, test } from "@jest/globals";
import { type Row, told } from "./rows.test.support.js";

/** Paths in forms that a program understands and a plain search for words does not. */
const ROWS: readonly Row[] = [
  ["a/Makefile.mk", "include $(ROOT)/shared/x.mk", "root-guess shared/x.mk 1"],
  [
    "a/turbo.json",
    `{ "inputs": ["$TURBO_ROOT$/shared/x.js"] }`,
    "root-guess shared/x.js 1",
  ],
  ["a/x.yml", `x: file://../b/chart`, "path-string ../b/chart 1"],
  [
    "a/api.json",
    `{ "entry": "<projectFolder>/../b/x.d.ts" }`,
    "path-string ../b/x.d.ts 1",
  ],
  [
    "a/x.yml",
    `x: "../b/my file.txt"`,
    "path-string ../b/my 1",
    "path-string ../b/my file.txt 1",
    "near-guess ./file.txt 1",
  ],
  [
    "a/package.json",
    `{ "scripts": { "x": "node '../b/my file.txt'" } }`,
    "script ../b/my file.txt 1",
    "script ../b/my 1",
  ],
  [
    "a/webpack.js",
    `f({ template: "!!ejs-loader!../b/t.ejs" })`,
    "path-string ../b/t.ejs 1",
  ],
  [
    "a/x.js",
    `load("größe/maß.json"); f("<rootDir>/packages/b/x.js");`,
    "root-guess größe/maß.json 1",
    "path-string ./packages/b/x.js 1",
    "root-guess packages/b/x.js 1",
  ],
  ["a/x.ts", `/// <amd-dependency path="../../b/x" />`, "type ../../b/x 1"],
  [
    "a/x.ts",
    "/**\n * By `scripts/a.ts`.\n */\n// `scripts/b.ts`\n/* `scripts/c.ts` */ f(`scripts/d.ts`);\n*g() { f(`scripts/e.ts`); }",
    "root-guess scripts/d.ts 5",
    "root-guess scripts/e.ts 6",
  ],
  ["a/x.mjs", `register("@m/b/hooks.mjs", u)`, "name-string @m/b/hooks.mjs 1"],
  [
    "a/jest.config.js",
    `module.exports = { roots: ["<rootDir>/.."] }`,
    "tsconfig-paths roots=./.. 1",
    "tsconfig-paths roots/*=./../* 1",
    "glob ~./../ 1",
    "path-string ./.. 1",
  ],
  [
    "tsconfig.base.json",
    `{ "include": ["\${configDir}/src", "\${configDir}/../b"], "vueOptions": { "plugins": ["../p.js", "@m/p"] } }`,
    "glob ~./../b/ 1",
    "path-string ../p.js 1",
    "name-string @m/p 1",
  ],
  [
    "a/x.js",
    'fs.readFileSync("../../" + name + ".json")',
    "cwd-path ~../../….json 1",
    "path-string ~../../….json 1",
  ],
  ["a/x.js", 'path.resolve("..", "..", name)', "cwd-path ~../../ 1"],
  [
    "a/x.js",
    'f(join(process.cwd(), "..", "..", `${name}.json`))',
    "cwd-path ~../../….json 1",
  ],
  [
    "a/x.js",
    'readdirSync("../b"); g.sync("packages/*/x/*.js", { cwd: ROOT });',
    "cwd-path ~../b/ 1",
    "path-string ../b 1",
    "root-guess ~packages/….js 1",
    "own-guess ~././packages/ 1",
  ],
  ["a/x.js", 'readdirSync(join(root, "packages"))', "root-guess ~packages/ 1"],
  [
    "a/x.js",
    'cosmiconfig("tool"); findUp("x.json");',
    "root-guess ~.toolrc 1",
    "root-guess ~tool.config. 1",
    "root-guess x.json 1",
  ],
  [
    "a/x.js",
    'new DataSource({ entities: ["src/entity/**/*.js"] }); eval("require(\\"./y\\")");',
    "own-guess ~././src/entity/ 1",
    "root-guess src/entity 1",
    "own-guess ./y 1",
  ],
  [
    "a/package.json",
    '{ "scripts": { "x": "find .. -name x", "y": "yarn workspaces foreach -A run x" } }',
    "glob ~../ 1",
    "script .. 1",
    "root-path ~./…/package.json 1",
  ],
  [
    "a/t.sh",
    "cd ../..\nfor d in packages/*/; do x; done",
    "path-string ../.. 1",
    "glob ~../../packages/ 2",
  ],
  [
    "a/docs/p.md",
    'import x from "@m/b";\nimport Y from \'!!raw-loader!@site/../b/x.js\';\n\n```js\nimport no from "@m/no";\n```\n[x](../no.md)\n<<< @/../b/x.js{1,3}\n<!--@include: ../b/y.md-->\n{{#include ../b/z.rs:3}}',
    "import @m/b 1",
    "path-string ../b/x.js 2",
    "path-string ./../b/x.js 8",
    "path-string ../../b/x.js 8",
    "path-string ../../../b/x.js 8",
    "path-string ../b/y.md 9",
    "path-string ../b/z.rs 10",
  ],
];

test.each(ROWS)("%s: %s", (path, text, ...expected) => {
  expect(told(path, text)).toEqual(expected);
});
