import type { ReferenceKind } from "../reference.js";
import type { Collector } from "./positions.js";

/** A quoted word with what stands before it. Lines are enough: a specifier cannot hold a line break. */
const QUOTED =
  /(\w+)?(\s*\(?\s*)(["'`])((?:\.{1,2}\/|[@\w])[^"'`\n\r]*|\.{1,2})\3/g;

const KIND_BEFORE: Readonly<Record<string, ReferenceKind>> = {
  from: "import",
  import: "import",
  require: "require",
  resolve: "require",
  mock: "mock",
};

/**
 * For a file that cannot be parsed: takes every quoted word that stands where a specifier would, and every quoted
 * relative path, in code and in comments alike. Too much is safe here, too little is not.
 */
export function scanText(text: string, found: Collector): void {
  for (const match of text.matchAll(QUOTED)) {
    const [whole, before, , , specifier] = match;
    const kind = before === undefined ? undefined : KIND_BEFORE[before];
    if (specifier === undefined) continue;
    if (kind === undefined && !/^\.{1,2}(\/|$)/.test(specifier)) continue;
    const cut = specifier.indexOf("${");
    found.add(
      cut < 0 ? specifier : specifier.slice(0, cut),
      kind ?? "path-string",
      match.index + whole.length - specifier.length - 2,
      cut >= 0,
    );
  }
}
