import { posix } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A line of a source file that a log names. */
export interface Place {
  /** Relative to the project's root. */
  readonly file: string;
  readonly line: number;
}

/** Matches `src/a.test.ts:12:5` (stacks, Jest, ESLint's unix format and Vitest) and `src/a.ts(12,5)` (tsc). */
const NAMED =
  /(?<path>(?:file:\/\/)?[\w@.+~/-]*[\w@+~-]\.(?:[cm]?[jt]sx?|vue|svelte|json))(?::|\()(?<line>\d{1,6})(?:[:,]\d{1,6})?/g;

/**
 * Finds the first place in a log that may be in the project's own sources. It only compares paths as text, because a
 * place that doesn't exist does no harm in an annotation.
 * @param log the output of a script
 * @param where the project's root, absolute with `/`, and the folder in it where the script ran
 * @returns undefined if the log names no place in the project, or only places in installed packages
 */
export function findPlace(
  log: string,
  { root, dir }: { readonly root: string; readonly dir: string },
): Place | undefined {
  for (const { groups } of stripVTControlCharacters(log).matchAll(NAMED)) {
    const { path = "", line = "" } = groups ?? {};
    const absolute = posix.join(
      "/",
      posix.resolve(root, dir, path.replace("file://", "")),
    );
    const file = posix.relative(root, absolute);
    if (!/^\.\.(\/|$)|(^|\/)node_modules\//.test(file))
      return { file, line: Number(line) };
  }
  return undefined;
}
