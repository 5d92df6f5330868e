import { readFileSync } from "node:fs";

/**
 * Returns the version in the nearest package.json above a module's folder.
 * @param module its URL
 */
export function versionAbove(module: string): string {
  for (let above = new URL("..", module); ; above = new URL("..", above))
    try {
      const text = readFileSync(new URL("package.json", above), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || above.pathname === "/") throw error;
    }
}
