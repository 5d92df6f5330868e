import { posix } from "node:path";

/**
 * A path from one root seen from a folder below that root: `../x` where it lies outside.
 * @param path from the outer root
 * @param dir the folder, from the outer root; `` is the outer root itself
 */
export function relativeTo(path: string, dir: string): string {
  if (dir === "") return path;
  return path.startsWith(`${dir}/`)
    ? path.slice(dir.length + 1)
    : posix.relative(dir, path);
}

/** The folder a relative path leads to, from the root; `.` is the root itself. */
export function resolveFrom(dir: string, relative: string): string {
  return posix.normalize(posix.join(dir, relative)).replace(/(.)\/$/, "$1");
}

/** Whether `path` is `dir` or lies below it. Everything lies below `.` that does not climb out of it. */
export function isWithin(path: string, dir: string): boolean {
  if (dir === ".") return path !== ".." && !path.startsWith("../");
  return path === dir || path.startsWith(`${dir}/`);
}
