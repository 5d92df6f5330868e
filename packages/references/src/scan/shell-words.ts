import type { ReferenceKind } from "../reference.js";
import type { JsonString } from "./json.js";
import type { Collector } from "./positions.js";

/** Scripts whose doing is of no matter to those who depend on the package. */
const ONLY_CHECKS =
  /^(pre|post)?(test|lint|check|typecheck|format|coverage|bench|e2e)\b/;

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const UP = /^(\.\.\/?)+$/;
const CHANGES_FOLDER = /^(cd|--cwd|--prefix|--dir|-C)$/;
const RUNS = /^(yarn|npm|pnpm|run)$/;

/** Options of Yarn, npm, Turborepo, Nx, lerna and pnpm whose word is a package. */
const NAMED =
  /(?:\b(?:workspace|nx\s+run)|(?:^|\s)(?:--?filter|-F|--scope|--include|--from|--workspace|-w|--projects?|-p))(?:\s+|=)["']?([@\w][\w./@-]*)/dg;

/**
 * The words of a script that are paths: anything with `./` or `../` in it (`-c ../../x`, `--config=../x`), and
 * words that look like a file (`node scripts/build.js`); those that are packages: `yarn workspace x`, `npx @m/x`; and those
 * that may be scripts of any workspace, which for Yarn are all that have a colon in their name. What runs in a folder above
 * (`cd ../.. && yarn x`) may be a script of the root.
 * @param own names that are scripts of the same manifest, where that is a root's: all of them may be called from elsewhere
 */
export function scanScript(
  name: string,
  { text, offset }: JsonString,
  found: Collector,
  own: ReadonlySet<string> = new Set(),
): void {
  const kind = ONLY_CHECKS.test(name) ? "test-script" : "script";
  let calls = false;
  let before = "";
  let isAbove = false;
  let isRun = false;
  for (const { 0: word, index } of text.matchAll(/[^\s"'`;&|()<>=,]+/g)) {
    isAbove ||= UP.test(word) && CHANGES_FOLDER.test(before);
    const isTop =
      /^(-T|--top-level)$/.test(before) ||
      (before === "npx" && /^\w[\w.-]*$/.test(word)) ||
      own.has(word) ||
      (isAbove && isRun && /^[^-./]/.test(word));
    isRun ||= RUNS.test(word);
    const bin = /node_modules\/\.bin\/([\w.-]+)$/.exec(word)?.[1];
    if (bin !== undefined)
      found.add(`-T ${bin}`, "script-call", offset + index);
    calls ||= bin !== undefined;
    if (isTop || /^[^-/*:][^/*]*:[^/*]+$/.test(word)) {
      calls = true;
      found.add(isTop ? `-T ${word}` : word, "script-call", offset + index);
    }
    before = word;
    addFromRoot(word, text.slice(0, index), offset + index, kind, found);
    const scoped = /^@[\w-][\w.-]*\/[\w-]+(?:[\w.-]*[\w-])?/.exec(word)?.[0];
    if (scoped !== undefined) found.add(scoped, kind, offset + index);
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
  for (const match of text.matchAll(NAMED)) {
    const place = match.indices?.[1];
    if (match[1] !== undefined && place && !match[1].startsWith("@"))
      found.add(match[1], kind, offset + place[0]);
  }
}

/** Where a word of a command begins, when that is no folder that is known: a variable, or what another command says. */
const BEGINS = /^(?:\$\{?(\w+)[^/}]*\}?|%(\w+)%|)[/\\](?=[\w.@])/;
/** Two names or more: `packages/b`, not `--filter` or `x`. */
const FROM_ROOT = /^\w[\w.-]*(\/[\w.@-]+)+\/?$/;

/** Notes a word that is a path from the project's root, or may be one: `$PROJECT_CWD/x`, `$(…)/x`, `-w packages/b`. */
function addFromRoot(
  word: string,
  before: string,
  offset: number,
  kind: ReferenceKind,
  found: Collector,
): void {
  const start = BEGINS.exec(word);
  // An absolute path of the machine, unless the word goes on after `$(…)`.
  const goesOn = /[)`]["']?$/.test(before);
  if (start?.[0].length === 1 && !goesOn) return;
  const rest = word.slice(start?.[0].length ?? 0).replaceAll("\\", "/");
  const wild = rest.search(/[*?{$]/);
  const path = wild < 0 ? rest : rest.slice(0, wild);
  const at = offset + word.length - rest.length;
  const variable = start?.[1] ?? start?.[2];
  if (start && path.startsWith("../")) found.add(path, kind, at, wild >= 0);
  else if (
    variable === "PROJECT_CWD" ||
    (start && /--show-toplevel\s*[)`]["']?$/.test(before))
  )
    found.add(path, "root-path", at, wild >= 0);
  else if (FROM_ROOT.test(path)) found.add(path, "root-guess", at, wild >= 0);
}
