import type { FileFacts } from "../../reference.js";
import { addClosed } from "./closed-programs.js";
import { callsBundler } from "./settings/bare-names.js";
import { scanComment, COMMENT_MARK } from "./comments.js";
import { mayCompare } from "./compared/compared-constants.js";
import { mayOpen } from "./compared/opened-paths.js";
import { addPlainImports } from "./unparsed/plain-imports.js";
import { nestsTooDeeply } from "./unparsed/nesting.js";
import { addPlainNames } from "./unparsed/plain-names.js";
import { Collector } from "../positions.js";
import { walkProgram, type SettingsKind } from "./source-walk.js";
import { NAMES_ITS_PLACE } from "./values/own-place.js";
import { addFromBase } from "../settings/settings-base.js";
import { addRootGuesses } from "../root-guesses.js";
import { scanText } from "../text-fallback.js";
import { lastTrigger } from "./unparsed/triggers.js";

/** The parser's entry point. Loading it takes longer than reading a stored index, so it is a parameter. */
export type ParseSync = (typeof import("oxc-parser"))["parseSync"];

type Language = "jsx" | "ts" | "tsx" | "dts";
interface Attempt {
  readonly lang: Language;
  readonly sourceType: "module" | "commonjs" | "unambiguous";
}

const TYPESCRIPT: readonly Attempt[] = [
  { lang: "ts", sourceType: "module" },
  { lang: "ts", sourceType: "commonjs" },
  { lang: "tsx", sourceType: "module" },
];

/**
 * The languages that a file with this name may have, most likely first: `.js` alone doesn't distinguish modules, scripts and
 * TypeScript.
 */
const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  ".ts": TYPESCRIPT,
  ".mts": TYPESCRIPT,
  ".cts": TYPESCRIPT,
  ".tsx": [{ lang: "tsx", sourceType: "module" }],
};
const JAVASCRIPT: readonly Attempt[] = [
  { lang: "jsx", sourceType: "unambiguous" },
  { lang: "jsx", sourceType: "commonjs" },
  { lang: "ts", sourceType: "module" },
  { lang: "tsx", sourceType: "module" },
];

/**
 * Returns the references of a source file.
 * @param name the file's name; its ending determines the language
 * @param text the whole file
 */
export function scanSource(
  name: string,
  text: string,
  parseSync: ParseSync,
): FileFacts {
  const plain = new Collector(text);
  const rest = addPlainImports(text, plain);
  const trigger = lastTrigger(text, rest);
  const isPlain = () =>
    trigger.end < 0 ||
    (trigger.areNames && !mayCompare(text) && addPlainNames(text, rest, plain));
  if (!callsBundler(text.slice(0, rest)) && !mayTypePaths(text) && isPlain()) {
    addRootGuesses(text, plain, { hasComments: true });
    return { references: plain.references() };
  }
  if (nestsTooDeeply(text)) return asText(text, "nested too deeply");
  const isWhole = declaresModules(name, text) || mayTypePaths(text);
  const head = isWhole ? undefined : headOf(text, trigger.end);
  if (head !== undefined) {
    const [first] = attemptsFor(name);
    const facts =
      first && tryScan(parseSync, name, text.slice(0, head), text, first);
    if (facts && "references" in facts) return facts;
  }
  return scanWhole(name, text, parseSync);
}

/** Returns the references of a tool's settings that are a program: each of their fields counts, so all of it is parsed. */
export function scanSettingsSource(
  name: string,
  text: string,
  parseSync: ParseSync,
  settings: SettingsKind = "any",
): FileFacts {
  return nestsTooDeeply(text)
    ? asText(text, "nested too deeply")
    : scanWhole(name, text, parseSync, settings);
}

function scanWhole(
  name: string,
  text: string,
  parseSync: ParseSync,
  settings?: SettingsKind,
): FileFacts {
  let error = "";
  for (const attempt of attemptsFor(name)) {
    const facts = tryScan(parseSync, name, text, text, attempt, settings);
    if ("references" in facts) return facts;
    error ||= facts.error;
  }
  return asText(text, error);
}

/** Returns the references of a file that isn't parsed. */
function asText(text: string, reason: string): FileFacts {
  const found = new Collector(text);
  scanText(text, found);
  addRootGuesses(text, found, { hasComments: true });
  if (NAMES_ITS_PLACE.test(text)) found.add("./", "own-guess", 0, true);
  return { references: found.references(), unparsed: reason };
}

/** A key that looks like a path in the project: an address, as openapi-typescript writes it in a type. */
const PATH_KEY = /\n[ \t]+["']\/[\w.-]+\/[^"'\n]*["']\??:/;

/** Returns whether types may contain such keys, which only the parser distinguishes from those of objects. */
function mayTypePaths(text: string): boolean {
  return text.includes("interface ") && PATH_KEY.test(text);
}

/** The name of a file that only declares types. */
const DECLARATION = /\.d\.(\w+\.)?[cm]?ts$/;

/** Returns whether the meaning of a declaration depends on the rest of the file: `declare module "x"`. */
function declaresModules(name: string, text: string): boolean {
  return DECLARATION.test(name) && /\bmodule\s*["']/.test(text);
}

function attemptsFor(name: string): readonly Attempt[] {
  if (DECLARATION.test(name))
    return [{ lang: "dts", sourceType: "module" }, ...TYPESCRIPT];
  return ATTEMPTS[/\.\w+$/.exec(name)?.[0] ?? ""] ?? JAVASCRIPT;
}

/** A module is loaded whose name may be any string of the file, or `require` has another name. */
const LOADS_ANY =
  /\b(?:require|import)\s*\(\s*[^"'`)\s/]|=\s*require\s*(?:[;,\n]|$)/;

/** A path that goes up, or the name of a package, with a part that is computed. */
const COMPUTES =
  /(?:\.\.\/[^"'`\n]*|@[\w-]+\/)(?:\$\{|["'][ \t]*\+)|["']@[\w-]+\/?["']/;

/**
 * Returns the place where the file may be cut because nothing after it matters. If a cut breaks a statement, the rest doesn't
 * parse, and the whole file is read instead. A cut that parses but loses an argument (`require` and `(` on the next line) is
 * refused here, and so is every file that gives `require` or its own place another name.
 */
function headOf(text: string, trigger: number): number | undefined {
  const end = text.indexOf("\n", trigger);
  // An indented line is inside something that the cut would break.
  if (/[ \t]/.test(text[text.lastIndexOf("\n", trigger - 1) + 1] ?? ""))
    return undefined;
  if (end < 0 || NAMES_ITS_PLACE.test(text) || LOADS_ANY.test(text))
    return undefined;
  // The rest shows how the constants are used, and which values names have.
  if (mayCompare(text) || mayOpen(text)) return undefined;
  if (COMPUTES.test(text) || callsBundler(text)) return undefined;
  const skip = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;
  skip.lastIndex = end;
  skip.exec(text);
  const next = text[skip.lastIndex];
  if (next !== undefined && !/[\w$@}]/.test(next)) return undefined;
  return end;
}

function tryScan(
  parseSync: ParseSync,
  name: string,
  code: string,
  whole: string,
  options: Attempt,
  settings?: SettingsKind,
): FileFacts | { readonly error: string } {
  const result = parseSync(name, code, options);
  const [first] = result.errors;
  if (first) return { error: first.message };
  let program: unknown;
  try {
    ({ program } = result);
  } catch (error) {
    // The parser's output is not always JSON (`<\u{2F804} />`); such a file counts as not parsed.
    return { error: error instanceof Error ? error.message : String(error) };
  }
  const found = new Collector(whole);
  const opensKnown = walkProgram(
    program,
    found,
    settings,
    options.lang === "dts",
  );
  if (settings) addFromBase(found);
  addRootGuesses(whole, found, { hasComments: true });
  if (code === whole && !settings) addClosed(program, found);
  if (COMMENT_MARK.test(code))
    for (const comment of result.comments) scanComment(comment, found);
  return { references: found.references(), ...(opensKnown && { opensKnown }) };
}
