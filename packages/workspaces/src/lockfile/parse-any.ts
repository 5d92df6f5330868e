import type { Lockfile } from "./lockfile.js";
import { isJsonLockfile, parseJsonLockfile } from "./parse-json.js";
import { isYarn1Lockfile, parseYarn1Lockfile } from "./parse-yarn-1.js";
import { parseLockfile } from "./parse.js";

/** Returns whether a yarn.lock lists the workspaces. Those of Yarn 1 and Yarn 6 don't, so their manifests are read. */
export function listsWorkspaces(text: string): boolean {
  return !isJsonLockfile(text) && !isYarn1Lockfile(text);
}

/**
 * Parses a yarn.lock of any version of Yarn.
 * @param known another lockfile, usually the same file at another commit. Equal entries are taken from it.
 * @throws {LockfileError} for merge-conflict markers, or a form that no version of Yarn writes
 */
export function parseAnyLockfile(text: string, known?: Lockfile): Lockfile {
  if (isJsonLockfile(text)) return parseJsonLockfile(text, known);
  return isYarn1Lockfile(text)
    ? parseYarn1Lockfile(text, known)
    : parseLockfile(text, known);
}
