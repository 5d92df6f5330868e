import type { ReferenceKind } from "../../reference.js";
import type { Collector } from "../positions.js";
import { wildAt } from "../wild.js";

/** The beginning of a word of a command that isn't a known folder: a variable, or the output of another command. */
const BEGINS = /^(?:\$\{?(\w+)[^/}]*\}?|%(\w+)%|)[/\\](?=[\w.@])/;
/** Two names or more: `packages/b`, not `--filter` or `x`. */
const FROM_ROOT = /^\w[\w.-]*(\/[\w.@-]+)+\/?$/;

/**
 * Notes a word that is a path from the project's root, or may be one: `$PROJECT_CWD/x`, `$(…)/x`, `-w packages/b`.
 * @param staysHere returns whether the command runs in the package's folder, so that the word means the root only if
 *   nothing is there
 */
export function addFromRoot(
  word: string,
  before: string,
  offset: number,
  kind: ReferenceKind,
  found: Collector,
  staysHere: () => boolean,
): void {
  const start = BEGINS.exec(word);
  // An absolute path of the machine, unless the word continues after `$(…)`.
  const goesOn = /[)`]["']?$/.test(before);
  if (start?.[0].length === 1 && !goesOn) return;
  const rest = word
    .slice(start?.[0].length ?? 0)
    .replaceAll("\\", "/")
    // `docker run -v $PWD/../b:/b`.
    .replace(/(?<=^\.\.\/[^:]*):.*/, "");
  const wild = wildAt(rest);
  const path = wild < 0 ? rest : rest.slice(0, wild);
  const at = offset + (start?.[0].length ?? 0);
  const variable = start?.[1] ?? start?.[2];
  if (start && path.startsWith("../")) found.add(path, kind, at, wild >= 0);
  else if (
    variable === "PROJECT_CWD" ||
    (start && /--show-toplevel\s*[)`]["']?$/.test(before))
  )
    found.add(path, "root-path", at, wild >= 0);
  else if (FROM_ROOT.test(path)) {
    const dot = !start && staysHere() ? "./" : "";
    found.add(dot + path, "root-guess", at, wild >= 0);
  }
}
