import {
  COMPARED_NAMES,
  WRITTEN_NAMES,
  type Reference,
} from "../../reference.js";
import { usesNames } from "./compared/used-names.js";

/** An import of a library with which codemods change sources. */
const CHANGES_SOURCES =
  /\b(?:from|require\()\s*["'](?:jscodeshift|ts-morph)["'/]/;
/** A rule of ESLint, or a part of one: an import of its library, or what each rule exports and calls. */
const JUDGES_SOURCES =
  /\b(?:from|require\()\s*["']@typescript-eslint\/(?:experimental-)?utils["'/]|\bcreate\s*(?:\(|:\s*(?:function\s*\w*\s*)?\(?\s*)\s*context\b[^]*\bcontext\.report\(/;
/** A call that may load or find a module by its name, and words of code that runs other code. */
const MAY_LOAD =
  /\b\w*(?:[lL]oad|[rR]equire|[rR]esolve|[iI]mportFrom|jiti)\w*\(|node_modules|NODE_OPTIONS|execArgv|\beval\b/;
/** A call that may read something of a package by its name, fields of settings, and a list of names for other files. */
const MAY_SHARE =
  /\b\w*(?:[pP]ackage|[mM]anifest|[mM]odule|[vV]ersion|[iI]nstalled|[wW]orkspace|[pP]roject)\w*\(|\b(?:configs|extends|parser|plugins|processors|settings)["']?\s*:|\bexport\s+(?:const|let|var)\s+[\w$]+[^=\n]*=\s*(?:Object\.freeze\(\s*)?(?:\[|\{\s*["'`@]|new\s+(?:Set|Map)\b|["'`]@)|\bexports\.\w+\s*=\s*(?:\[|new\s|["'`]@)/;

/**
 * Returns a mark if a program changes sources or is a rule of ESLint, and can't load a module whose name a string contains. A rule
 * only compares the names of packages in its strings with imports, or writes them; so does such a program if it belongs to a codemod.
 */
export function scanWrittenNames(text: string): readonly Reference[] {
  const mark = CHANGES_SOURCES.test(text)
    ? WRITTEN_NAMES
    : JUDGES_SOURCES.test(text) && !MAY_SHARE.test(text)
      ? COMPARED_NAMES
      : undefined;
  return mark !== undefined && !MAY_LOAD.test(text) && !usesNames(text)
    ? [{ specifier: mark, kind: "exclusion", line: 1, column: 1 }]
    : [];
}
