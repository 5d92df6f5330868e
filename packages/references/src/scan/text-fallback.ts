import type { ReferenceKind } from "../reference.js";
import type { Collector } from "./positions.js";

/** A quoted word in one line: a specifier can't contain a line break. */
const QUOTED = /(["'`])((?:\.{1,2}\/|[@\w])[^"'`\n\r]*|\.{1,2})\1/g;

const KIND_BEFORE: ReadonlyMap<string, ReferenceKind> = new Map([
  ["from", "import"],
  ["import", "import"],
  ["require", "require"],
  ["resolve", "require"],
  ["mock", "mock"],
  // Sass and Tailwind, in a component's style.
  ["use", "style"],
  ["forward", "style"],
  ["reference", "style"],
  ["plugin", "style"],
]);

/** A name with a space before its first slash: no package has such a name. */
const NO_NAME = /^[^./][^/]*\s/;

/**
 * Notes the references of a file that can't be parsed: every quoted word in the place of a specifier, and every quoted
 * relative path, in code and in comments alike. Too many are safe; too few are not.
 */
export function scanText(text: string, found: Collector): void {
  for (const { 2: specifier = "", index } of text.matchAll(QUOTED)) {
    const kind =
      isInProse(text, index) || NO_NAME.test(specifier)
        ? undefined
        : KIND_BEFORE.get(wordBefore(text, index));
    if (kind === undefined && !/^\.{1,2}(\/|$)/.test(specifier)) continue;
    const cut = specifier.indexOf("${");
    found.add(
      cut < 0 ? specifier : specifier.slice(0, cut),
      kind ?? "path-string",
      index,
      cut >= 0,
    );
  }
}

/** Returns whether a word in backticks is none of code: no parenthesis precedes it (from `x`, but not import(`x`)). */
function isInProse(text: string, place: number): boolean {
  if (text[place] !== "`") return false;
  let at = place;
  while (at > 0 && /\s/.test(text[at - 1] ?? "")) at--;
  return text[at - 1] !== "(";
}

/**
 * Returns the word before a place, with space and one parenthesis between. It isn't a pattern, which would start again at
 * each character of a long run of spaces.
 */
function wordBefore(text: string, place: number): string {
  const skip = (what: RegExp, from: number) => {
    let at = from;
    while (at > 0 && what.test(text[at - 1] ?? "")) at--;
    return at;
  };
  const space = skip(/\s/, place);
  const end = text[space - 1] === "(" ? skip(/\s/, space - 1) : space;
  return text.slice(skip(/\w/, end), end);
}
