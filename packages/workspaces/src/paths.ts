import { posix } from "node:path";

/**
 * Returns a path relative to a folder below the root: `../x` if it is outside of the folder.
 * @param path from the root
 * @param dir the folder, from the root; `` is the root itself
 */
export function relativeTo(path: string, dir: string): string {
  if (dir === "") return path;
  return path.startsWith(`${dir}/`)
    ? path.slice(dir.length + 1)
    : posix.relative(dir, path);
}

/**
 * Returns the path of a file without everything behind the first dot in its name, and without `/index`: the files that a
 * reference without an ending, or with that of a compiled file, may mean have one stem.
 */
export function stemOf(path: string): string {
  const start = path.lastIndexOf("/") + 1;
  const dot = path.indexOf(".", start + 1);
  return (dot < 0 ? path : path.slice(0, dot)).replace(/\/_?index$/, "");
}

/** Returns the folder of a relative path, from the root; `.` is the root itself. */
export function resolveFrom(dir: string, relative: string): string {
  return posix.normalize(posix.join(dir, relative)).replace(/(.)\/$/, "$1");
}

/** Returns whether `path` is `dir` or below it. All paths are below `.` unless they lead out of it. */
export function isWithin(path: string, dir: string): boolean {
  if (dir === ".") return path !== ".." && !path.startsWith("../");
  return path === dir || path.startsWith(`${dir}/`);
}
