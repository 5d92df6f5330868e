import type { FileFacts } from "../../reference.js";
import { Collector } from "../positions.js";
import { blank } from "../wild.js";

/** A block of code that a page shows, which loads nothing. */
export const FENCE =
  /^([ \t]*)(`{3,}|~{3,})[^\n]*\n[^]*?^[ \t]*\2[`~]*[ \t]*$/gm;

/** How generators of sites include a file: VitePress, VuePress, mdBook, MkDocs, Sphinx, Asciidoctor, Slidev. */
const INCLUDES =
  /^<<<\s*([^\s{#]+)|<!--\s*@include:\s*((?:(?!-->)[^\s{#])+)|\{\{\s*#(?:include|rustdoc_include|playground)\s+([^\s:}]+)|@\[code[^\]]*\]\(([^)\s]+)\)|^[ \t]*--8<--\s+["']([^"'\n]+)|\{%\s*include(?:-markdown)?\s+["']([^"'\n]+)|^[ \t]*\.\. (?:literal)?include::[ \t]+(\S+)|^include::([^[\s]+)\[|^src:[ \t]+["']?(\.{1,2}\/[^\s"'#]+)|<!--(?:(?!-->)[^=\n])*\b(?:src|file)=["']?(\.{1,2}\/[^\s"')]+)/dgm;
/** A file that a plug-in shows as a block of code: a word after the language. */
const SHOWN =
  /^[ \t]*(?:`{3,}|~{3,})[^\n]*?\s(?:file|src)=["']?(?:<rootDir>\/)?(\.{1,2}\/[^\s"'#{}]+)/dgm;
/** An import, which Docusaurus, Nextra and VitePress run in a page. */
const IMPORTS = /^import\s(?:[^"'\n]*\sfrom\s*)?["']([^"'\n]+)["']/dgm;

/** Returns the references of a page of documentation: the files that it includes, and its imports. Its links don't count. */
export function scanPage(text: string): FileFacts {
  const found = new Collector(text);
  if (!MAY_USE.test(text)) return { references: [] };
  const shown = text.replace(FENCE, blank);
  for (const { 1: path = "", index, indices } of text.matchAll(SHOWN))
    found.add(path, "path-string", indices?.[1]?.[0] ?? index);
  for (const match of shown.matchAll(INCLUDES)) {
    const group = match.findIndex(
      (_, i) => i > 0 && match.indices?.[i] !== undefined,
    );
    const path = match[group] ?? "";
    const offset = match.indices?.[group]?.[0] ?? match.index;
    for (const one of placesOf(path)) found.add(one, "path-string", offset);
  }
  for (const match of shown.matchAll(IMPORTS)) {
    const [specifier = ""] = match.slice(1);
    const offset = match.indices?.[1]?.[0] ?? match.index;
    // In Docusaurus, `@site` is the package's folder.
    const [, below] = /(?:^|!)@site\/(.+)$/.exec(specifier) ?? [];
    found.add(below ?? specifier, below ? "path-string" : "import", offset);
  }
  return { references: found.references() };
}

const MAY_USE =
  /<<<|@include|#include|#rustdoc|#playground|@\[code|--8<--|\{%|^import\s|include::|\b(?:src|file)=|^src:/m;

/**
 * Returns the paths that a path may mean. `@` is the folder of VitePress's sources, in most cases that of the page or one of
 * the two above.
 */
function placesOf(path: string): readonly string[] {
  if (!path.startsWith("@/"))
    return [/^\.{0,2}\//.test(path) ? path : `./${path}`];
  const below = path.slice("@/".length);
  return [`./${below}`, `../${below}`, `../../${below}`];
}
