import { FOREIGN_PROGRAMS } from "@skein/known-tools";
import { BARE_SIGN, STARTER, type Reference } from "../../reference.js";
import {
  SOURCE_ENDINGS,
  type FileKind,
  type ProgramKind,
} from "../file-kinds.js";

const NAMES = FOREIGN_PROGRAMS.map((name) => name.replace(/^\W+/, "")).join(
  "|",
);
/** A name as a word of a command: at the beginning of a line or of a string, or after another word. */
const IN_TEXT = new RegExp(
  String.raw`(?:^|[\s"'\`;&|(/\\])(${NAMES})(?=$|[\s"'\`;&|)])`,
  "gm",
);
/** The same in a string of a program, if a command begins with it and continues. */
const IN_STRING = new RegExp(
  String.raw`(?<start>["'\`])(?:[^"'\`\n]{0,200}[\s;&|(/])?(?<name>${NAMES})(?=(?<args>\s+[\w.-])|\s|["'\`])`,
  "g",
);
/** A name between two characters of which each string of the above has one. Most sources have none, and this is faster. */
const NAMED = new RegExp(String.raw`[\s"'\`;&|(/](?:${NAMES})[\s"'\`]`);
/** How programs in JavaScript start others. */
const STARTS =
  /child_process|cross-spawn|execa|execSync|execFile|nano-?spawn|shelljs|spawn\s*\(|tinyexec|worker_threads|["'](?:zx|zx\/globals)["']|(?<![^\s(=,;{[!>.&|?:])\$`|Bun\.|Deno\.Command/;
/** Python itself looks up no settings. The modules that it runs as programs do. */
const INTERPRETER = /^python3?$/;
const RUNS_MODULE = /(?<![\w-])-m\b|\bsetup\.py\b/;

/**
 * Returns the programs of other languages that a text names, each once. Words of comments and prose are among them.
 */
export function scanForeignPrograms(
  kind: FileKind,
  text: string,
): readonly Reference[] {
  if (kind === "symlink" || kind.startsWith("style") || kind === "markup")
    return [];
  const names = new Set<string>();
  if (!isProgram(kind))
    for (const [, name = ""] of text.matchAll(IN_TEXT)) names.add(name);
  else {
    if (STARTS.test(text)) names.add(STARTER);
    for (const { 0: found, groups } of NAMED.test(text)
      ? text.matchAll(IN_STRING)
      : []) {
      const { name = "", start = "", args } = groups ?? {};
      const isCommand = args !== undefined && found === `${start}${name}`;
      names.add(isCommand ? name : `${BARE_SIGN}${name}`);
    }
  }
  if (names.size === 0) return [];
  const isMeant = (name: string) =>
    RUNS_MODULE.test(text) || !INTERPRETER.test(name.replace(BARE_SIGN, ""));
  return [...names]
    .filter(isMeant)
    .map((specifier) => ({ specifier, kind: "program", line: 1, column: 1 }));
}

const PROGRAM = new RegExp(
  String.raw`^(?:settings\.(?:\w+\.)?)?(?:${SOURCE_ENDINGS.join("|")})$`,
);

/** Returns whether a file is a program in JavaScript or TypeScript. */
export function isProgram(kind: FileKind): kind is ProgramKind {
  return PROGRAM.test(kind);
}
