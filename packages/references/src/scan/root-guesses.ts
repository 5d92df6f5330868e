import type { Collector } from "./positions.js";

/**
 * Two or more names with slashes between them, in quotes, after a substitution of a template, or after Jest's `<rootDir>`.
 * Names of packages in a scope are excluded, and so are paths from the file's folder. Letters of all languages are above
 * U+0080.
 */
const QUOTED =
  /(?:["'`}]\/{0,2}|>\/)([A-Za-z_\u0080-\uffff][\w.\u0080-\uffff-]*(?:\/[\w.@\u0080-\uffff-]+)+)/g;
/**
 * The same in a language in which words need no quotes; also after a variable (`$ROOT`, `$(ROOT)`, `$ROOT$`) or a command,
 * and as the label of a Bazel target.
 */
const BARE =
  /(?<=["'`}=:\s([,)](?:\.?[/\\])?|["']\/\/|\$\w{1,40}\$?[/\\])[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff-]*(?:[/\\][\w.@\u0080-\uffff-]+)+/g;

/**
 * Notes possible paths from the project's root: `join(root, "packages/b/x.js")`, where the value of `root` is unknown. Many
 * aren't paths, so only those that lead to another package count.
 */
export function addRootGuesses(
  text: string,
  found: Collector,
  { bare = false } = {},
): void {
  for (const match of text.matchAll(bare ? BARE : QUOTED)) {
    const path = match[1] ?? match[0];
    const offset = match.index + match[0].length - path.length;
    if (!found.isSelection(offset))
      found.add(path.replaceAll("\\", "/"), "root-guess", offset);
  }
}
