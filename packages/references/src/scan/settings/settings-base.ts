import type { Collector } from "../positions.js";

/**
 * A field with a folder above that of the settings, at which the paths in them begin: Jest's `rootDir`, Karma's `basePath`,
 * Vite's `root`.
 */
const BASE =
  /(?<![\w.-])["']?(?:rootDir|basePath|root)["']?\s*:\s*(?:(?:path\.)?(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*)?["'`]((?:\.\.\/)*\.\.)\/?["'`]/;

/** Notes the paths of a tool's settings that begin at a folder above, which a field of them names. */
export function addFromBase(found: Collector): void {
  const [, folder] = BASE.exec(found.text) ?? [];
  if (folder !== undefined) found.addFrom(`${folder}/`);
}
