import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseSync } from "oxc-parser";
import { addPlainImports } from "./plain-imports.js";
import { addPlainNames } from "./plain-names.js";
import { Collector } from "../../positions.js";
import { scanComment } from "../comments.js";
import { addRootGuesses } from "../../root-guesses.js";
import { scanSource } from "../source.js";
import { lastTrigger } from "./triggers.js";
import { addClosed } from "../closed-programs.js";
import { walkProgram } from "../source-walk.js";

/** Plain imports, which are read without the parser, and what looks like them. */
const IMPORTS = [
  "#!/usr/bin/env node",
  '"use strict";',
  "'use client'",
  '"use strict"\n.length;',
  "/* Copyright: import (of) what comes from 'them' */",
  "// from 'x'\r// or \"y\"",
  "// a comment\u2028import u from 'u';",
  "/** @jsxImportSource plain */",
  "/* @type {import('./t').T} */",
  "import 'm';'m';",
  'import"./n"',
  "import a from 'a'; import b from \"b\"; // both",
  "import a, { b as c, default as d } from '@m/a'",
  "import a, * as b from './b';",
  "import{a}from'a'",
  "import*as a from'a'",
  "import {\n  a, // first\n  b,\n} from './c';",
  "import {\n  a,\n  b,\n} from './d';\r",
  "import {} from '../e'",
  "import $ from 'it\\'s';",
  "import x from 'no' /* , */;",
  "import data from './f.json' with { type: 'json' };",
  "import data from './f.json'\nwith { type: 'json' };",
  "export * from 'g';",
  'export * as g from "./g"',
  "export { a, b as c, default } from '../h'; export {}",
  "export { a };\nfrom('i');",
  "import('./j');",
  "import.meta.resolve('k');",
  "import {proxyquire as p} from 'l';\nproxyquire('m', {});",
  "import { createRequire } from 'module';\ncreateRequire(url)('n');",
  "import { createRequire as make } from 'module'; const load = make(here);\nload('n');",
  "import a from 'node_modules/m/x.js'",
  "import a from 'lodash/fp'",
  "import a from 'o'\n/x'/.test(\"../p'\");",
  "import a from 'tab\there'",
  "import é from 'q';",
];
/** The same of scripts. */
const REQUIRES = [
  "require('m');",
  'require ( "./n" )',
  "const a = require('a'); let b = require(\"b\"); var c=require('./c'); // all",
  "const{ a, b: c,\n d, } = require('../d')",
  "const {} = require('e');",
  "const a = require('f').default;",
  "const a = require('g')\n.resolve('../g');",
  "const a = require('h')\n('./h');",
  "const a = require('i')\n+ '@m/i';",
  "const a = require('j'), b = require('./j');",
  "const a = require('k' + '/l');",
  "const { createRequire } = require('module'); const load = createRequire(f);\nload('n');",
  "const { createRequire: make } = require('module');\nmake(f)('n');",
  "const proxyquire = require('proxyquire');\nproxyquire('o', {});",
  "const require = require('p');\nrequire('q');",
  "required('r'); myrequire('./r');",
  "const join = require('path').join, up = join(here, '../s');",
  "const { a = 1 } = require('t'); const [u] = require('u');",
  "const v = await require('v')",
  "const $ = require('w')\n/x/.test('./w')",
];
/** The same in TypeScript only. */
const TYPE_IMPORTS = [
  'jest.requireActual<typeof T>("m")',
  "jest.mock!('n');",
  "import type A from 'a';",
  "import type { A } from './b'",
  "import type, { type B, type as C, type as as D } from 'c'",
  "import type from 'd'",
  "import type type from 'e'",
  "import a = require('f');",
  "import type a = require('g')",
  "import a = b.c",
  "export type { A } from 'h';",
  "export type * from 'i'",
  "export type A = 'j';",
  "declare module 'k' { import l from 'l'; }",
];

/** Statements that refer to something, in shapes that a search for words could miss. */
const REFERRING = [
  'import "m";',
  'import a from /* x */ "m";',
  'import {\n  b,\n} from\n  "m";',
  'export * from\n// why\n"m";',
  'export/**/{ c }/**/from/**/"m";',
  "await import(\n  `./m`\n);",
  'const r1 = require\n("m");',
  "const r2 = require /* x */\n /* y */ ('../m');",
  'const u = new URL("../m", import.meta.url);',
  'jest\n  .mock\n  ("m");',
  'vi.doMock(\n"./m", () => ({}));',
  'jest.mock /* x */ ("m");',
  'jest.mock // x\n("m");',
  '(jest.mock)("m");',
  'jest?.mock?.("m");',
  'jest[mock]("m");',
  'mock . module ("m");',
  'mock.module/**/("m");',
  'vi.importActual("m");',
  'rewire("m");',
  'const q = proxyquire.noCallThru(); proxyquire("m", {});',
  'module.require("m");',
  '(require)("m");',
  'require?.("m");',
  'buffer.toString("m"); object.constructor("../m");',
  'const p1 = "../x/y";',
  "const p2 = `./x/${r1}`;",
  "const p3 = '../' + r1;",
  'const p4 = path.join(__dirname,\n  "..",\n  "x");',
  'const p5 = path.resolve(here, "../x");',
  'const t1 = /** @type {import("m").T} */ (x);',
  "/** @jsxImportSource m */",
  '/// <reference types="m" />',
  'import { createRequire } from "module"; const load = createRequire(import.meta.url);\nload("m");',
  "const root = path.dirname(__dirname);\nread(`${root}/x`);",
  "const up = process.cwd();\nread(up + '/x');",
  'const doc = read("docs/a.md");',
  'const all = "./x/**/*.ts";',
  'run("@m/x");',
  'exec("yarn workspace m build");',
  'exec("mocha -r m");',
  'const lists = { transpilePackages: ["m"], "plugin": [\n"m"] };',
  'const folders = {\n  moduleDirectories: ["m"],\n  resolve: { modules:\n ["m"] },\n};',
  "const plugins = { plugins: { m: {} } };\nmodule.exports = plugins;",
  'const p6 = ["..", "m"].join("/");',
  'execa("yarn", [\n"workspace", "m", "build"]);',
  "read(join(process.env.PROJECT_CWD,\n 'x'));",
  'import { createRequire as make } from "module"; make(import.meta.url)("m");',
  'read(root + "/packages/m/x");',
  'const settings = {\n  preset\n  : "m",\n  setupFiles: ["<rootDir>/x"],\n};',
  'const e = "\\u002e./m"; require(e); require("\\x2e/m");',
];
/** Names of packages as strings, which are read without the parser, and what looks like them. */
const NAMES = [
  "run('@m/a');",
  'const b = { "@m/b": [`@m/c`] };',
  "/** What `@m/d` is: it's '@m/e'. */",
  "// it's \"@m/f\"\u2028load('@m/f2');",
  'say("it is \'@m/g\' now"); say("@m/h", "\'");',
  'const t = `\'${a}\n"@m/i" $ ${b.c[0]}`, u = `@m/j${k}`, v = `${`@m/k`}`;',
  "const s1 = '@m/a' + 'b', s2 = '' + \"@m/l\", s3 = ('@m/') + ('c');",
  "const e1 = '\\x40m/m', e2 = \"'\\\"@m/n\";",
  "const r1 = /['\"@m/o']/, r2 = 1 / 2; load('@m/o2');",
  "const q = a < b ? '@m/q' : `@m/r`;",
  "while (n --> 0) load('@m/s');",
  '"@m/u"',
  "'long \\\n@m/v'; load('@m/v');",
  "load(tag`@m/w`, `a\\`, '@m/x');",
  "load('@m/y.md'); load('@M/y/z'); load('@m/'); load('@m');",
];
/** The same in one language only. */
const MARKUP_NAMES = [
  "const j = <p>it's {load('@m/a')} '@m/b'</p>;",
  "const k = <p a='@m/c' b=\"\\\" c='@m/d' />;",
  "const l = <p>don't< /p>, m = '@m/e';",
];
const TYPE_NAMES = [
  "type N = '@m/a' | `@m/b`; let o = <T>load('@m/c');",
  "enum E { '@m/d' = 1 }",
  "abstract class C<T extends '@m/e'> { '@m/f'!: T }",
];

/** Statements that refer to nothing. */
const FILLER = [
  "const a1 = 1;",
  "function f() { return 'word'; }",
  "// import, require and from in a comment",
  "/* it's */",
  "const s = `a ${1} b`;",
  "class C { m() {} }",
  "const re = /['\"]/;",
  "(() => {})();",
  "{ let from = 'x'; }",
  "const required = mock.calls.mocked, mocks = mock;",
  "text.toString('utf8');",
  "",
];

/** Returns the facts that the parser finds in a whole file; undefined where it cannot be parsed. */
function found(name: string, text: string) {
  const whole = parseSync(
    name,
    text,
    name === "a.js" ? { lang: "jsx", sourceType: "unambiguous" } : {},
  );
  if (whole.errors.length > 0) return undefined;
  const all = new Collector(text);
  walkProgram(whole.program, all, undefined, name.endsWith(".d.ts"));
  addRootGuesses(text, all, { hasComments: true });
  addClosed(whole.program, all);
  for (const comment of whole.comments) scanComment(comment, all);
  return { references: all.references() };
}

const newline = fc.constantFrom("\n", "\r\n", " \n\n");

test("the search for words never drops what the parser finds", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom(...REFERRING), fc.constantFrom(...FILLER)),
        { maxLength: 8 },
      ),
      newline,
      fc.constantFrom("a.js", "a.ts", "a.tsx", "a.mjs"),
      (statements, newline, name) => {
        // Each statement in a block of its own line; equal names aren't a syntax error to the parser.
        const text = statements.join(newline);
        const whole = found(name, text);
        fc.pre(whole !== undefined);
        expect(scanSource(name, text, parseSync)).toEqual(whole);
      },
    ),
    { numRuns: 2000 },
  );
});

test("imports that are read without the parser are those that it finds", () => {
  let plain = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...IMPORTS, ...REQUIRES, ...TYPE_IMPORTS), {
        maxLength: 5,
      }),
      fc.array(
        fc.oneof(
          { weight: 1, arbitrary: fc.constantFrom(...REFERRING) },
          { weight: 3, arbitrary: fc.constantFrom(...FILLER) },
        ),
        { maxLength: 2 },
      ),
      fc.constantFrom("\n", "\r\n", " ", ""),
      fc.constantFrom("a.js", "a.ts", "a.mts", "a.d.ts"),
      (imports, rest, newline, name) => {
        const text = [...imports, ...rest].join(newline);
        const whole = found(name, text);
        fc.pre(whole !== undefined);
        if (addPlainImports(text, new Collector(text)) === text.length) plain++;
        expect(scanSource(name, text, parseSync)).toEqual(whole);
      },
    ),
    { numRuns: 2000 },
  );
  // The generator makes such files, or the property says little.
  expect(plain).toBeGreaterThan(100);
});

test("names that are read without the parser are those that it finds", () => {
  let plain = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom(...NAMES, ...TYPE_NAMES, ...MARKUP_NAMES),
          fc.constantFrom(...FILLER),
        ),
        { maxLength: 4 },
      ),
      fc.constantFrom("\n", "\r\n", " ", ""),
      fc.constantFrom("a.js", "a.ts", "a.tsx", "a.mjs"),
      (statements, newline, name) => {
        const text = statements.join(newline);
        const whole = found(name, text);
        fc.pre(whole !== undefined);
        if (
          text.includes("@") &&
          addPlainNames(text, 0, new Collector(text)) &&
          lastTrigger(text, 0).areNames
        )
          plain++;
        expect(scanSource(name, text, parseSync)).toEqual(whole);
      },
    ),
    { numRuns: 2000 },
  );
  expect(plain).toBeGreaterThan(100);
});

const SAME: readonly (readonly [name: string, text: string])[] = [
  ...[IMPORTS, REQUIRES, TYPE_IMPORTS, NAMES, TYPE_NAMES].flatMap((texts) =>
    texts.map((text) => ["a.ts", text] as const),
  ),
  ...MARKUP_NAMES.map((text) => ["a.js", text] as const),
  ["a.js", "load('@m/a');\n<!-- it's '@m/b'\nload('@m/c');"],
];

test.each(SAME)(
  "%s, the same with and without the parser: %j",
  (name, text) => {
    const whole = found(name, text);
    expect(whole && scanSource(name, text, parseSync)).toEqual(whole);
  },
);
