import { fieldsWhere } from "@skein/known-tools";
import { MODULE_FUNCTIONS, MODULE_METHODS } from "../calls.js";
import { LOADERS, RUNNERS } from "../../commands/commands.js";
import { SCOPED_NAME } from "./plain-names.js";

/**
 * The text after the name of a called function: its arguments, type arguments, `?.`, `!`, the end of parentheses or brackets
 * around it, a comment.
 */
const CALLED = String.raw`\s*(?:[(<?!)\]]|\/[/*])`;

/** Settings that count in any source. `require` is a trigger anyway. */
const ANYWHERE = fieldsWhere(
  ({ inSources, holdsModules }) => inSources === "any" || holdsModules === true,
).filter((field) => field !== "require");
const LISTS = fieldsWhere(({ inSources }) => inSources === "list");

/*
 * Words without which a source file has no references that the scanner finds. A parse takes 30-1,000 microseconds, this
 * search one. So a file without any trigger isn't parsed, and another one only up to its last trigger. A property test
 * compares it with the parser. The triggers are grouped by their beginning, because every alternative of the whole takes one
 * more test at each character.
 */

/** Triggers at the beginning of a word. */
const WORDS = [
  String.raw`(?:${ANYWHERE.join("|")}|(?:${[...LISTS, "modules"].join("|")})(?=["']?\s*:\s*\[))["']?\s*:`,
  String.raw`import\b`, // static, dynamic, `import =`, types, JSDoc, `import.meta`
  String.raw`from\s*["'/]`, // `export … from`, with a comment between
  String.raw`require\b`, // calls, `require.resolve`
  String.raw`(?:${[...MODULE_METHODS, ...MODULE_FUNCTIONS].join("|")})${CALLED}`,
  String.raw`module(?:${CALLED}|\s*["'])`, // `mock.module("x")`, `declare module "x"`
  String.raw`(?:join|resolve)\([^"'${"`"};\n]*,\s*["'${"`"}]`, // join(root, "packages", "b")
  String.raw`cwd["']?\s*:`, // where a pattern is looked for
  String.raw`(?:(?:find-?[uU]p|cosmiconfig|lilconfig)(?:Sync|\.sync)?|rc|resolveConfig(?:File)?|getFileInfo|(?:Flat|Legacy)?ESLint|CLIEngine|loadESLint|lint|(?:start|create)Vitest|readNxJson)\s*\(`, // what looks up settings or files
  String.raw`(?:execArgv|execPath|NODE_OPTIONS)\b`, // options of Node that load modules
  String.raw`(?:spawn|exec(?:a(?:Command)?|File)?)(?:Sync)?\s*\(\s*["'${"`"}][a-z]`, // a program that a package provides
  String.raw`(?:exec|spawn|run|shell|sh|cmd|command)\w*\s*\(\s*["'${"`"}]`, // a command
  String.raw`(?:readdir|opendir)(?:Sync)?\s*\(`, // what lists a folder
  String.raw`(?<![./@-])(?:${RUNNERS})[ \t]+[\w@-]`, // the same somewhere in a string
  String.raw`(?:jiti|quibble|define|register|load(?:Plugin|Preset|Module|Config)\w*)\s*\(`, // functions that load modules by their names
];
/** Triggers after a quote. */
const QUOTED = [
  // A package's name. Its end may be the beginning of another trigger.
  String.raw`((?=${SCOPED_NAME}["'${"`"}])@)`,
  String.raw`(?:(?:${RUNNERS})["'${"`"}\s]|(?:${LOADERS}|cd)\s|(?<=\$.)[a-z]|-(?:r|-require|-import|-loader|-experimental-loader)["'\`=\s]|~[a-z][\w.-]*\/)`, // a command and its words, a command line, or one of zx
  String.raw`\./`,
];
/** Triggers that can begin anywhere. */
const OTHERS = [
  "createRequire",
  "<reference",
  "<amd-dependency",
  "@jsxImportSource",
  "@(?:jest|vitest)-environment",
  "__dirname",
  "__filename",
  String.raw`process\.cwd`,
  "PROJECT_CWD",
  "<rootDir>",
  String.raw`(?:cmd|command|Cmd|Command|CMD|COMMAND)s?["']?\s*[:=]\s*["'${"`"}]`, // a command in a variable or a field
  String.raw`["']\.\.["']`, // a part of a path by itself
  String.raw`\.(?:md|mdx|markdown|rst|adoc)["'${"`"}]`, // a document's name
  String.raw`\.\.[/\\"'${"`"}]`, // a path that goes up, also as the end of a template's part
  String.raw`\`@[\w-]+/\$\{`, // the name of a package in a template
  String.raw`\}(?:(?:/[\w@-][\w.@-]*)+/\$\{|\s+workspace\s)`, // folders between two parts of a template; yarn workspace x
  String.raw`\.[cm]?[jt]sx?["'${"`"}]`, // a script's name
  String.raw`\((?<=(?:Require|Import|require__|resolveFrom|importFrom|requireFrom|resolve\.sync|replaceEsm|_load|findPackageJSON)\s*\()`, // the same, in longer names
];
const anyTrigger = new RegExp(
  String.raw`["'${"`"}](?:${QUOTED.join("|")})|\b(?:${WORDS.join("|")})|${OTHERS.join("|")}`,
  "g",
);

export interface LastTrigger {
  /** The end of the last trigger: an offset into the text, or -1 if there is none and the rest need not be parsed. */
  readonly end: number;
  /** Whether all triggers are names of packages in quotes. */
  readonly areNames: boolean;
}

/**
 * Finds the last trigger.
 * @param from the beginning of a statement
 */
export function lastTrigger(text: string, from: number): LastTrigger {
  let end = -1;
  let areNames = true;
  anyTrigger.lastIndex = from;
  for (
    let match = anyTrigger.exec(text);
    match;
    match = anyTrigger.exec(text)
  ) {
    end = anyTrigger.lastIndex;
    areNames &&= match[1] !== undefined;
  }
  return { end, areNames };
}
