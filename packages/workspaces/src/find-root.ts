import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Finds the project that contains a folder, by Yarn's rules: the nearest folder above with a yarn.lock, or else the
 * highest one with a package.json.
 * @returns its absolute path; undefined if there is none
 */
export function findRoot(cwd: string): string | undefined {
  let found: string | undefined;
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (existsSync(join(dir, "yarn.lock"))) return dir;
    if (existsSync(join(dir, "package.json"))) found = dir;
    if (dir === dirname(dir)) return found;
  }
}
