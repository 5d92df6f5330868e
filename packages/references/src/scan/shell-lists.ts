import type { Collector } from "./positions.js";
import { endOfPattern } from "./path-strings.js";

/** A variable in the place of a package's name: `yarn workspace "$p" build`, `--filter=${p}`. */
const SELECTS =
  /(?:\bworkspace[ \t]+|[ \t](?:--?filter|-F|--scope|--workspace|-w|--include|--from)[ \t=])["']?(?:\$\{?(\w+)|\{\})/g;
/** `for p in x y`, and a list or a string as the value of a variable: `P=(x y)`, `P="x y"`. */
const LOOP = /\bfor[ \t]+(\w+)[ \t]+in[ \t]+([^;\n]*)/g;
const VALUE =
  /(?<![\w$])(\w+)=(?:\(([^()]*)\)|(["'])([^"'\n]*)\3|(?=([\w@$][\w./@-]*)))/g;
/** The words that a command passes to `xargs`. */
const PIPED = /\b(?:echo|printf)[ \t]+([^|\n]*)\|[^\n;&]*\bxargs\b/g;
/** A function of a shell. */
const FUNCTION = /^[ \t]*(?:function[ \t]+)?([\w-]+)[ \t]*\(\)/gm;
const WORD = /(?<![^\s"'])@?[\w-][\w./-]*(?![^\s"'])|\$\{?(\w+)/g;

/** Notes the packages that a shell script names in a list, and selects one by one: `for p in x; do yarn workspace $p build`. */
export function addListedPackages(
  text: string,
  found: Collector,
  start = 0,
): void {
  if (!/[$]|xargs/.test(text)) return;
  const variables = new Set<string>();
  for (const [, variable = ""] of text.matchAll(SELECTS))
    variables.add(variable);
  if (variables.size === 0) return;
  const addWords = (words: string, offset: number) => {
    for (const { 0: word, 1: variable, index } of words.matchAll(WORD))
      if (variable !== undefined) variables.add(variable);
      else found.add(word, "name-string", start + offset + index);
  };
  for (const { 0: loop, 1: variable = "", 2: words = "", index } of [
    ...text.matchAll(LOOP),
  ])
    if (variables.has(variable))
      addWords(words, index + loop.length - words.length);
  for (const match of [...text.matchAll(VALUE)]) {
    const { 0: whole, 1: variable = "", 2: list, 4: line, 5: word } = match;
    if (!variables.has(variable)) continue;
    const words = list ?? line ?? word ?? "";
    // A list or a string ends with its sign; one word isn't part of the match.
    const end = word === undefined ? -1 - words.length : 0;
    addWords(words, match.index + whole.length + end);
  }
  for (const { 0: whole, 1: words = "", index } of text.matchAll(PIPED))
    addWords(words.replaceAll("\\n", "  "), index + whole.indexOf(words));
  if (!variables.has("1")) return;
  for (const [, name = ""] of text.matchAll(FUNCTION))
    for (const { 0: call, 1: words = "", index } of text.matchAll(
      new RegExp(
        String.raw`(?<=^|[;&|{][ \t]*)[ \t]*${name}[ \t]+([^;&|\n]*)`,
        "gm",
      ),
    ))
      addWords(words, index + call.length - words.length);
}

/** The words of a command that opens all files that match a pattern, of a loop over them, or of a Dockerfile. */
const OPENS =
  /(?:(?:^|[;&|(`])[ \t]*(?:cat|cp|jq|COPY|ADD)[ \t]|\$\(wildcard[ \t]|\b(?:Dir|FileList)(?:\.glob)?[[(]|\bfor[ \t]+\w+[ \t]+in[ \t])([^;&|\n]*)/gm;
/** A pattern below a folder that isn't the text's own; a variable before it is the project's root in most cases. */
const PATTERN =
  /(?<![^\s"'])(?:["']?\$\{?\w+\}?["']?\/|\.\/)?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*\/)(?=\*)([^\s"'`)]*)/g;
/** `find packages -name "*.x"`. */
const FINDS =
  /\bfind[ \t]+(?:\.\/)?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*)\/?[ \t][^;&|\n]*-i?name[ \t]+["']?\*(\.\w+)/g;

/** Notes the patterns in commands that may begin at the project's root: `cat packages/x*`. */
export function addCommandPatterns(text: string, found: Collector): void {
  if (text.includes("/*"))
    for (const { 0: command, 1: words = "", index } of text.matchAll(OPENS)) {
      const start = index + command.length - words.length;
      for (const match of words.matchAll(PATTERN)) {
        const [whole, folder = "", rest = ""] = match;
        const at = match.index + whole.length - rest.length - folder.length;
        found.add(folder, "root-guess", start + at, true, endOfPattern(rest));
      }
    }
  if (text.includes("find "))
    for (const {
      0: whole,
      1: folder = "",
      2: end = "",
      index,
    } of text.matchAll(FINDS))
      found.add(
        `${folder}/`,
        "root-guess",
        index + whole.indexOf(folder, "find".length),
        true,
        end,
      );
}
