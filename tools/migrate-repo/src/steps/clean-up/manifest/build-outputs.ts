import { posix } from "node:path";
import { isRecord } from "@skein/reporting/is-record";

/** Files that tools write and that aren't published: reports, caches, logs, settings of one machine. */
const NEVER_MEANT =
  /(?:^|\/)(?:\.[^/]*|coverage|node_modules|te?mp|logs?|pids?|reports?|[^/]*\.(?:log|tgz|tsbuildinfo|pid|seed|swp|lcov|heapsnapshot|cpuprofile))(?:\/|$)/i;

/** A placeholder for a name that a pattern leaves open. */
export const ANY_NAME = "any-name";

/** Returns whether a path that git ignores is never published on purpose. */
export function isNeverPublished(path: string): boolean {
  return NEVER_MEANT.test(path);
}

/**
 * Returns paths that aren't in git but may exist when the package is packed: those that its manifest names, and one for
 * each pattern of its .gitignore.
 * @param tracked paths that are already in use
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
    // Without a `.` in the last part of the name, the pattern more likely means a folder.
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
      // A file and a folder can't have the same path.
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
