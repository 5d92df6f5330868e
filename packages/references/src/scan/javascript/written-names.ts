import { WRITTEN_NAMES, type Reference } from "../../reference.js";
import { usesNames } from "./compared/used-names.js";

/** An import of a library with which codemods change sources. */
const CHANGES_SOURCES =
  /\b(?:from|require\()\s*["'](?:jscodeshift|ts-morph)["'/]/;
/** A call that may load or find a module by its name, and words of code that runs other code. */
const MAY_LOAD =
  /\b\w*(?:[lL]oad|[rR]equire|[rR]esolve|[iI]mportFrom|jiti)\w*\(|node_modules|NODE_OPTIONS|execArgv|\beval\b/;

/**
 * Returns a mark if a program changes sources, and can't load a module whose name a string contains. If the program belongs to a
 * codemod, it only compares the names of packages in its strings with imports, or writes them.
 */
export function scanWrittenNames(text: string): readonly Reference[] {
  return CHANGES_SOURCES.test(text) && !MAY_LOAD.test(text) && !usesNames(text)
    ? [{ specifier: WRITTEN_NAMES, kind: "exclusion", line: 1, column: 1 }]
    : [];
}
