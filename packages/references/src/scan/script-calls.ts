import type { Collector } from "./positions.js";

/** Scripts whose actions don't matter to packages that depend on the package. */
export const ONLY_CHECKS =
  /^(?:pre|post)?(?:test|lint|check|typecheck|format|coverage|bench|e2e)\b/;

/** One word of a command, and its position. */
export interface Word {
  readonly word: string;
  readonly index: number;
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const UP = /^(\.\.\/?)+$/;
const CHANGES_FOLDER = /^(cd|--cwd|--prefix|--dir|-C)$/;
const RUNS = /^(yarn|npm|pnpm|run)$/;

/** The command runs in another package. */
const ELSEWHERE =
  /^(?:workspace|cd|--?filter|-F|--cwd|--prefix|--dir|-C|-w|--workspace)$/;

/** A word of a command that may be a script that tests or checks. */
const CHECK = new RegExp(`${ONLY_CHECKS.source}[\\w:.-]*$`);

/**
 * Notes the words that may be scripts of another workspace, and those that may be scripts that test or check. For Yarn, these are all words with a colon. For the root, these
 * are the words after `-T`, and those that run in a folder above (`cd ../.. && yarn x`). A word after `npx`, or in `.bin`,
 * may be a program that the root has installed, which `-T` finds too.
 * @param own names that are scripts of the same manifest, if it is a root's
 * @param offset of the text that contains the words
 * @returns whether there is such a word
 */
export function addCalls(
  words: readonly Word[],
  own: ReadonlySet<string>,
  offset: number,
  found: Collector,
): boolean {
  const where = words.some(({ word }) => ELSEWHERE.test(word)) ? "in " : "";
  let calls = false;
  let before = "";
  let isAbove = false;
  let isRun = false;
  for (const { word, index } of words) {
    isAbove ||= UP.test(word) && CHANGES_FOLDER.test(before);
    const isTop =
      /^(-T|--top-level)$/.test(before) ||
      (before === "npx" && /^\w[\w.-]*$/.test(word)) ||
      own.has(word) ||
      (isAbove && isRun && /^[^-./]/.test(word));
    isRun ||= RUNS.test(word);
    if (isRun && CHECK.test(word))
      found.add(`run ${where}${word}`, "script-call", offset + index);
    before = word;
    const bin = /node_modules\/\.bin\/([\w.-]+)$/.exec(word)?.[1];
    const called =
      bin !== undefined || isTop
        ? `-T ${bin ?? word}`
        : /^[^-/*:][^/*]*:[^/*]+$/.exec(word)?.[0];
    if (called === undefined) continue;
    found.add(called, "script-call", offset + index);
    calls = true;
  }
  return calls;
}
