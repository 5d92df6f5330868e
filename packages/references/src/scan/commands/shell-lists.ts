import type { Collector } from "../positions.js";
import { endsOfPattern } from "../patterns.js";
import { openValues } from "./variable-paths.js";

/**
 * A variable in the place of a package's name: `yarn workspace "$p" build`, `--filter=${p}`, `["yarn", "workspace", p]`;
 * `{}` of xargs.
 */
const SELECTS =
  /(?:\bworkspace[ \t]+|[ \t](?:--?filter|-F|--scope|--workspace|-w|--include|--from)[ \t=])["']?(?:\$\$?[({]?(\w+)|\{\})|["']workspace["']\s*,\s*([A-Za-z_]\w*)/g;
/** The words that a command passes to `xargs`. */
const PIPED = /\b(?:echo|printf)[ \t]+([^|\n]*)\|[^\n;&]*\bxargs\b/g;
/** A function of a shell. */
const FUNCTION = /^[ \t]*(?:function[ \t]+)?([\w-]+)[ \t]*\(\)/gm;
const WORD = /(?<![^\s"'])@?[\w-][\w./-]*(?![^\s"'])/g;

/** Notes the packages that a script names in a list, and selects one by one: `for p in x; do yarn workspace $p build`. */
export function addListedPackages(
  text: string,
  found: Collector,
  start = 0,
): void {
  if (!/[$]|xargs|["']workspace["']/.test(text)) return;
  const valuesOf = openValues(text);
  const seen = new Set<string>();
  for (const { 1: plain, 2: listed, index } of text.matchAll(SELECTS)) {
    const variable = plain ?? listed ?? "";
    if (seen.has(variable)) continue;
    seen.add(variable);
    const { words, isArgument } = valuesOf(variable);
    for (const word of words) found.add(word, "name-string", start + index);
    if (isArgument) addArgumentsOfFunctions();
    if (variable !== "") continue;
    for (const { 0: whole, 1: piped = "", index: at } of text.matchAll(PIPED))
      addWords(piped.replaceAll("\\n", "  "), at + whole.indexOf(piped));
  }

  function addArgumentsOfFunctions(): void {
    for (const [, name = ""] of text.matchAll(FUNCTION))
      for (const { 0: call, 1: words = "", index } of text.matchAll(
        new RegExp(
          String.raw`(?<=^|[;&|{][ \t]*)[ \t]*${name}[ \t]+([^;&|\n]*)`,
          "gm",
        ),
      ))
        addWords(words, index + call.length - words.length);
  }

  function addWords(words: string, offset: number): void {
    for (const { 0: word, index } of words.matchAll(WORD))
      found.add(word, "name-string", start + offset + index);
  }
}

/** The words of a command that opens all files that match a pattern, of a loop over them, or of a Dockerfile. */
const OPENS =
  /(?:(?:^|[;&|(`])[ \t]*(?:cat|cp|jq|COPY|ADD)[ \t]|\$\(wildcard[ \t]|\b(?:Dir|FileList)(?:\.glob)?[[(]|\bfor[ \t]+\w+[ \t]+in[ \t])([^;&|\n]*)/gm;
/** A pattern below a folder that isn't the text's own; a variable before it is the project's root in most cases. */
const PATTERN =
  /(?<![^\s"'])(?:["']?\$\{?\w+\}?["']?\/|\.\/)?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*\/)(?=\*)([^\s"'`)]*)/g;
/** Notes the patterns in commands that may begin at the project's root: `cat packages/x*`. */
export function addCommandPatterns(text: string, found: Collector): void {
  if (text.includes("/*"))
    for (const { 0: command, 1: words = "", index } of text.matchAll(OPENS)) {
      const start = index + command.length - words.length;
      for (const match of words.matchAll(PATTERN)) {
        const [whole, folder = "", rest = ""] = match;
        const at = match.index + whole.length - rest.length - folder.length;
        found.add(folder, "root-guess", start + at, true, endsOfPattern(rest));
      }
    }
}
