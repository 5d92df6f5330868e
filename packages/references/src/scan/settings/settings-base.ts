import type { Collector } from "../positions.js";

/**
 * A field with a folder above that of the settings, at which the paths in them begin: Jest's `rootDir`, Karma's `basePath`,
 * Vite's `root`.
 */
const BASE =
  /(?<![\w.-])["']?(?:rootDir|basePath|root)["']?\s*:\s*(?:(?:path\.)?(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*)?["'`]((?:\.\.\/)*\.\.)\/?["'`]/;

/**
 * Notes the paths of a tool's settings that begin at a folder above, which a field of them names.
 * @param text of these settings
 */
export function addFromBase(found: Collector, text = found.text): void {
  const [, folder] = BASE.exec(text) ?? [];
  if (folder !== undefined) found.addFrom(`${folder}/`);
}

/**
 * An option of Babel or SWC that may be the folder of the project: `cwd: path.resolve(__dirname, "../..")`, `root: repoRoot`.
 * They then read the settings there.
 */
const ROOT_ABOVE =
  /(?<![\w.$-])["']?(?:cwd|root)["']?\s*:\s*[^{};]{0,80}?(?:["'`/]\.\.|[rR]oot|ROOT|[rR]epo|[wW]orkspace|[pP]roject)/;

/** Notes that Babel or SWC may look for settings above the package, as the option `rootMode: "upward"` tells them. */
export function addRootAbove(found: Collector): void {
  const { text } = found;
  if (!text.includes("babel") && !text.includes("swc")) return;
  const at = text.search(ROOT_ABOVE);
  if (at >= 0) found.add("upward", "config", at);
}
