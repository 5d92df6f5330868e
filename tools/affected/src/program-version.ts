import { readFileSync } from "node:fs";

/** Returns the version of this program: package.json lies beside the folder of its modules, and of the one file that they are joined to. */
export function programVersion(): string {
  const text = readFileSync(
    new URL("../package.json", import.meta.url),
    "utf8",
  );
  return (JSON.parse(text) as { readonly version: string }).version;
}
