import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { PageAssets } from "./html.js";

/** The page's modules, each after those it imports; the last one starts it. */
const pageModules = [
  "layout",
  "groups",
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
  const home = packageFolder();
  const read = (path: string) => readFile(new URL(path, home), "utf8");
  const [template, style, ...modules] = await Promise.all([
    read("src/graph/page/page.html"),
    read("src/graph/page/page.css"),
    ...pageModules.map((name) => read(`dist/graph/page/${name}.js`)),
  ]);
  return { template, style, script: modules.map(withoutModuleSyntax).join("") };
}

/** This package's folder, found upwards: how deep this file lies in it depends on whether it was bundled. */
function packageFolder(): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder)))
    folder = new URL("..", folder);
  return folder;
}

/** Relies on how tsc writes modules: each import on a line of its own, `export` before a declaration. */
function withoutModuleSyntax(module: string): string {
  return module
    .replace(/^import .*;\n/gm, "")
    .replace(/^export (?=(async )?function|class|const|let)/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, "");
}
