import { SPEAKS } from "./comments.js";
import type { Collector } from "./positions.js";

const NAME = String.raw`[A-Za-z_$][\w$]*`;
const ONE = String.raw`(?:type\s+)?${NAME}(?:\s+as\s+${NAME})?`;
const NAMED = String.raw`\{\s*(?:${ONE}(?:\s*,\s*${ONE})*(?:\s*,)?\s*)?\}`;
const ALL_AS = String.raw`\*\s*as\s+${NAME}`;
const IMPORTED = String.raw`(?:\s+${NAME}(?:\s*,\s*(?:${NAMED}|${ALL_AS}))?|\s*(?:${NAMED}|${ALL_AS}))`;
const EXPORTED = String.raw`\s*(?:${NAMED}|${ALL_AS}|\*)`;
const PART = String.raw`${NAME}(?:\s*:\s*${NAME})?`;
const PARTS = String.raw`\{\s*${PART}(?:\s*,\s*${PART})*(?:\s*,)?\s*\}`;
const REQUIRED = String.raw`(?:(?:const|let|var)(?:\s+${NAME}|\s*${PARTS})\s*=\s*)?require`;
const QUOTED = String.raw`("[^"\\\r\n]*"|'[^'\\\r\n]*')`;
/** A statement goes on behind anything else, and a cut there would tell something different. */
const END = String.raw`[ \t]*(?:;|(?=[\r\n]|\/\/)|$)`;

/**
 * An import, an export from elsewhere, or a `require` that at most names what it loads, in the shapes that nearly all
 * have: plain names, no comment inside, no escape, no attributes.
 */
const STATEMENT = new RegExp(
  String.raw`(?:(?:(import)(?:(?:\s+type\b)?${IMPORTED}\s*\bfrom)?|export(?:\s+type\b)?${EXPORTED}\s*\bfrom)\s*${QUOTED}|${REQUIRED}\s*\(\s*${QUOTED}\s*\))${END}`,
  "y",
);

/** What may stand between: space, comments, a first line for the shell, a directive (`"use client";`). */
const BETWEEN =
  /(?:^#![^\r\n\u2028\u2029]*|\s+|\/\/[^\r\n\u2028\u2029]*|\/\*[^]*?\*\/|(["'])use \w+\1[ \t]*(?:;|(?=[\r\n])))*/y;

/**
 * Notes the imports that a file begins with, as far as they are written plainly, without a parser: in two microseconds
 * instead of a hundred. A property test holds it against the parser.
 * @returns where another statement begins: what stands before it refers to nothing but what was noted
 */
export function addPlainImports(text: string, found: Collector): number {
  for (let at = 0; ;) {
    BETWEEN.lastIndex = at;
    BETWEEN.exec(text);
    const start = BETWEEN.lastIndex;
    if (start > at && SPEAKS.test(text.slice(at, start))) return at;
    STATEMENT.lastIndex = start;
    const [, word, named, required] = STATEMENT.exec(text) ?? [];
    const quoted = named ?? required;
    const end = STATEMENT.lastIndex;
    if (
      quoted === undefined ||
      // What is made of it later loads modules, by whatever name.
      text.slice(start, end).includes("createRequire")
    )
      return start;
    at = end;
    found.add(
      quoted.slice(1, -1),
      required ? "require" : word ? "import" : "export",
      text.lastIndexOf(quoted, end - quoted.length) + 1,
    );
  }
}
