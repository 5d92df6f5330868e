import type { ReferenceKind } from "../reference.js";
import type { JsonString } from "./json.js";
import type { Collector } from "./positions.js";
import { addFromRoot } from "./root-words.js";
import { addCalls } from "./script-calls.js";

/** Scripts whose doing is of no matter to those who depend on the package. */
const ONLY_CHECKS =
  /^(pre|post)?(test|lint|check|typecheck|format|coverage|bench|e2e)\b/;

/** What a shell takes for words, near enough: quotes are left out. */
const WORD = /[^\s"'`;&|()<>=,]+/g;

/**
 * Options whose word is a package: of Yarn, npm, Turborepo, Nx, lerna and pnpm; and those by which Node, test runners, ESLint
 * and Prettier load one.
 */
const NAMED =
  /(?:\b(?:workspace|nx\s+run)|(?:^|[\s"'])(?:--?filter|-F|--scope|--include|--from|--workspace|-w|--projects?|-p|-r|--require|--import|--(?:experimental-)?loader|--plugin|--preset|--reporters?|--resolver|--env|--environment|--config|-c))(?:\s+|=)["']?([@\w][\w./@-]*)/dg;

/**
 * The words of a script that are paths: anything with `./` or `../` in it (`-c ../../x`, `--config=../x`), and
 * words that look like a file (`node scripts/build.js`); those that are packages: `yarn workspace x`, `npx @m/x`; and those
 * that may be scripts of another workspace.
 * @param own names that are scripts of the same manifest, where that is a root's: all of them may be called from elsewhere
 */
export function scanScript(
  name: string,
  { text, offset }: JsonString,
  found: Collector,
  own: ReadonlySet<string> = new Set(),
): void {
  const kind = ONLY_CHECKS.test(name) ? "test-script" : "script";
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word,
    index,
  }));
  const calls = addCalls(words, own, offset, found);
  addPackages(text, kind, offset, found);
  for (const { word, index } of words) {
    addFromRoot(word, text.slice(0, index), offset + index, kind, found);
    const isPath =
      /^\.\.?(\/|$)/.test(word) ||
      (/\/|^[^-]/.test(word) &&
        /^[\w@][^:*]*\.([cm]?[jt]sx?|json|sh|ya?ml|mdx?)$/.test(word));
    if (!isPath || word === ".") continue;
    const wild = word.search(/[*?{$]/);
    const path = wild < 0 ? word : word.slice(0, wild);
    found.add(
      /^\.\.?(\/|$)/.test(path) ? path : `./${path}`,
      wild < 0 ? kind : "glob",
      offset + index,
      wild >= 0,
    );
  }
  if (calls || name.includes(":") || own.has(name))
    found.add(name, "script-name", offset);
}

/** A package's name in a scope, at the beginning of a word. */
const SCOPED = /(?<![^\s"'`;&|()<>=,])@[\w-][\w.-]*\/[\w-]+(?:[\w.-]*[\w-])?/g;

/** A pattern of names in a scope: `yarn workspaces foreach --include '@m/{a,b}'`. */
const PATTERN = /(?<![^\s"'`;&|()<>=,])@[\w-][\w.-]*\/[\w.-]*(?=[*{?])/g;

/**
 * The words of a command that are packages: those in a scope, and any that an option names.
 * @param offset where the command begins
 */
export function addPackages(
  command: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  for (const { 0: name, index } of command.matchAll(SCOPED))
    found.add(name, kind, offset + index);
  for (const { 0: start, index } of command.matchAll(PATTERN))
    found.add(start, "name-string", offset + index, true);
  for (const match of command.matchAll(NAMED)) {
    const place = match.indices?.[1];
    if (match[1] !== undefined && place && !match[1].startsWith("@"))
      found.add(match[1], kind, offset + place[0]);
  }
}
