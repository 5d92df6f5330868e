import { compileGlobs } from "../globs.js";
import type { Use } from "./script-uses.js";

/**
 * Returns whether a program reads only what its arguments name, and none of them includes a path: `prettier --check "src/**\/*.ts"`
 * doesn't read the README.
 * @param words of its script
 * @param path from the package's folder
 */
export function readsOnlyOthers(
  { tool, program, isInFolder }: Use,
  words: readonly string[],
  path: string,
): boolean {
  if (tool?.walks?.here !== false || isInFolder !== true) return false;
  const named = words
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/^\.\/(?=.)/, ""));
  const mayInclude = (word: string) =>
    /^\.\/?$|[$!`]/.test(word) ||
    compileGlobs([word])(path) ||
    (!/[*?{[]/.test(word) && isFolderOf(word, path));
  return (
    named.includes(program) &&
    named.some((word) => /[*./]/.test(word)) &&
    !named.some(mayInclude)
  );
}

/** Returns whether an argument of a program names the folder of a path, or includes it as a page. */
export function includesPath(word: string, path: string): boolean {
  return isFolderOf(word, path) || (NAMES_PAGES.test(word) && PAGE.test(path));
}

/** Arguments that include pages: `--ext .js,.md`, `"src/**\/*.{ts,md}"`. */
const NAMES_PAGES =
  /(?:^|[*,])\.(?:md|markdown)(?![\w/.-])|[{,](?:md|markdown)(?=[,}])/;
const PAGE = /\.(?:md|markdown)$/;

/**
 * Returns whether a word is the file, a folder that contains it, or a pattern below such a folder: `vite build docs` and
 * `cpx "docs/*.md" dist` read the files in `docs`.
 */
function isFolderOf(word: string, path: string): boolean {
  const plain = word.replace(/^\.\//, "");
  const folder = plain.replace(/[^/]*[*?{[].*$/, "").replace(/\/$/, "");
  return plain === path || (folder !== "" && path.startsWith(`${folder}/`));
}
