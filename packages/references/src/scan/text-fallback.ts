import type { ReferenceKind } from "../reference.js";
import type { Collector } from "./positions.js";

/** A quoted word. Lines are enough: a specifier cannot hold a line break. */
const QUOTED = /(["'`])((?:\.{1,2}\/|[@\w])[^"'`\n\r]*|\.{1,2})\1/g;

const KIND_BEFORE: ReadonlyMap<string, ReferenceKind> = new Map([
  ["from", "import"],
  ["import", "import"],
  ["require", "require"],
  ["resolve", "require"],
  ["mock", "mock"],
]);

/**
 * For a file that cannot be parsed: takes every quoted word that stands where a specifier would, and every quoted
 * relative path, in code and in comments alike. Too much is safe here, too little is not.
 */
export function scanText(text: string, found: Collector): void {
  for (const { 2: specifier = "", index } of text.matchAll(QUOTED)) {
    const kind = KIND_BEFORE.get(wordBefore(text, index));
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

/** The word before a place, with space and one parenthesis between. No pattern: in long runs of space each would begin anew. */
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
