import { readFileSync } from "node:fs";

/**
 * Returns the version of this program. package.json is beside the folder of its modules, and beside that of their
 * bundle.
 */
export function programVersion(): string {
  const text = readFileSync(
    new URL("../package.json", import.meta.url),
    "utf8",
  );
  return (JSON.parse(text) as { readonly version: string }).version;
}
