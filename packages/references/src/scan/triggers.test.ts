import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseSync } from "oxc-parser";
import { Collector } from "./positions.js";
import { scanComment } from "./comments.js";
import { addRootGuesses } from "./root-guesses.js";
import { scanSource } from "./source.js";
import { walkProgram } from "./source-walk.js";

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
  'execa("yarn", [\n"workspace", "m", "build"]);',
  "read(join(process.env.PROJECT_CWD,\n 'x'));",
  'import { createRequire as make } from "module"; make(import.meta.url)("m");',
  'read(root + "/packages/m/x");',
  'const settings = {\n  preset\n  : "m",\n  setupFiles: ["<rootDir>/x"],\n};',
  'const e = "\\u002e./m"; require(e); require("\\x2e/m");',
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
  "",
];

test("the search for words never drops what the parser finds", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom(...REFERRING), fc.constantFrom(...FILLER)),
        { maxLength: 8 },
      ),
      fc.constantFrom("\n", "\r\n", " \n\n"),
      fc.constantFrom("a.js", "a.ts", "a.tsx", "a.mjs"),
      (statements, newline, name) => {
        // Each statement in a block of its own line; equal names are no syntax error to the parser.
        const text = statements.join(newline);
        const whole = parseSync(
          name,
          text,
          name === "a.js" ? { lang: "jsx", sourceType: "unambiguous" } : {},
        );
        fc.pre(whole.errors.length === 0);
        const found = new Collector(text);
        walkProgram(whole.program, found);
        addRootGuesses(text, found);
        for (const comment of whole.comments) scanComment(comment, found);
        expect(scanSource(name, text, parseSync)).toEqual({
          references: found.references(),
        });
      },
    ),
    { numRuns: 2000 },
  );
});
