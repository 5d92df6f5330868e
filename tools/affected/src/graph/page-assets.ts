import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { PageAssets } from "./html.js";

/** The page's modules, each after its imports; the last one starts the page. */
const pageModules = [
  "layout",
  "routes",
  "groups",
  "reach",
  "describe",
  "gestures",
  "paint",
  "canvas",
  "panel",
  "page-state",
  "main",
] as const;

/**
 * Reads the page's template, style and compiled script from this package. The modules are joined into one, because an
 * inline script can't import anything. Their top-level names must differ, or the browser rejects the script.
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

/**
 * Returns this package's folder. It searches upwards, because the depth of this file depends on whether it was bundled.
 */
function packageFolder(): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder)))
    folder = new URL("..", folder);
  return folder;
}

/**
 * Removes imports and exports. This relies on tsc's output: each import is on its own line, and `export` is before a
 * declaration.
 */
function withoutModuleSyntax(module: string): string {
  return module
    .replace(/^import .*;\n/gm, "")
    .replace(/^export (?=(async )?function|class|const|let)/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, "");
}
