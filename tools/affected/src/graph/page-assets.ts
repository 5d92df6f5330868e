import { readFile } from "node:fs/promises";
import type { PageAssets } from "./html.js";

/** The page's modules, each after those it imports; the last one starts it. */
export const pageModules = [
  "layout",
  "reach",
  "describe",
  "gestures",
  "paint",
  "canvas",
  "panel",
  "main",
] as const;

/**
 * Reads the page's template, style and compiled script from this package. The modules are joined into one: an inline
 * script can import nothing. Names at the top of them must differ, or the browser refuses the script.
 */
export async function readPageAssets(): Promise<PageAssets> {
  const [template, style, ...modules] = await Promise.all([
    readFile(
      new URL("../../src/graph/page/page.html", import.meta.url),
      "utf8",
    ),
    readFile(new URL("../../src/graph/page/page.css", import.meta.url), "utf8"),
    ...pageModules.map((name) =>
      readFile(new URL(`./page/${name}.js`, import.meta.url), "utf8"),
    ),
  ]);
  return { template, style, script: modules.map(withoutModuleSyntax).join("") };
}

/** Relies on how tsc writes modules: each import on a line of its own, `export` before a declaration. */
function withoutModuleSyntax(module: string): string {
  return module
    .replace(/^import .*;\n/gm, "")
    .replace(/^export (?=(async )?function|class|const|let)/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, "");
}
