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
