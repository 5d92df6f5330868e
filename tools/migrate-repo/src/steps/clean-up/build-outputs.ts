import { posix } from "node:path";
import { isRecord } from "./package-files.js";

/** Files that tools write and nobody publishes: reports, caches, logs, settings of one machine. */
const NEVER_MEANT =
  /(?:^|\/)(?:\.[^/]*|coverage|node_modules|te?mp|logs?|pids?|reports?|[^/]*\.(?:log|tgz|tsbuildinfo|pid|seed|swp|lcov|heapsnapshot|cpuprofile))(?:\/|$)/i;

/** Stands for a name that a pattern leaves open. */
export const ANY_NAME = "any-name";

/** Returns whether a path that git ignores is nothing that somebody means to publish. */
export function isNeverMeant(path: string): boolean {
  return NEVER_MEANT.test(path);
}

/**
 * Returns files that are not in git and may be there when the package is packed: those that its manifest names, and one
 * for each
 * pattern of its .gitignore.
 * @param tracked paths that are taken
 */
export function buildOutputs(
  fields: Readonly<Record<string, unknown>>,
  gitignore: string,
  tracked: readonly string[],
): readonly string[] {
  const folders = new Set(tracked.flatMap(foldersOf));
  const named = ["main", "module", "types", "typings", "bin", "exports"]
    .flatMap((field) => textsIn(fields[field]))
    .filter((text) => /^\.?\/?[\w.]/.test(text) && !text.includes(".."));
  const ignored = gitignore.split("\n").flatMap((line) => {
    const pattern = line.trim();
    if (pattern === "" || /^[#!]/.test(pattern)) return [];
    const path = plain(pattern.replace(/\/+$/, ""));
    // A folder, more likely than not, where nothing speaks for a file.
    const isFolder =
      pattern.endsWith("/") || !posix.basename(path).includes(".");
    return [isFolder ? `${path}/${ANY_NAME}.js` : path];
  });
  return [...new Set([...named.map(plain), ...ignored])].filter(
    (path, _, all) =>
      path !== "" &&
      !path.endsWith("/") &&
      !tracked.includes(path) &&
      !folders.has(path) &&
      // A file cannot be where a folder is to be.
      !foldersOf(path).some(
        (folder) => tracked.includes(folder) || all.includes(folder),
      ),
  );
}

/** Returns a path that a pattern matches. */
function plain(pattern: string): string {
  return posix
    .normalize(
      pattern
        .replaceAll("**/", "")
        .replaceAll("*", ANY_NAME)
        .replace(/[?[\]{}\\]/g, "x"),
    )
    .replace(/^(?:\.?\.?\/)+/, "");
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
