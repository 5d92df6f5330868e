import type { Collector } from "./positions.js";

/** One word of a command, and where it stands. */
export interface Word {
  readonly word: string;
  readonly index: number;
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const UP = /^(\.\.\/?)+$/;
const CHANGES_FOLDER = /^(cd|--cwd|--prefix|--dir|-C)$/;
const RUNS = /^(yarn|npm|pnpm|run)$/;

/**
 * Notes the words that may be scripts of another workspace: for Yarn all that have a colon in their name are; of the root,
 * what follows `-T`, and what runs in a folder above (`cd ../.. && yarn x`). What follows `npx` or lies in `.bin` may be a
 * program that the root has installed, as `-T` finds it too.
 * @param own names that are scripts of the same manifest, where that is a root's
 * @param offset of the text that the words are of
 * @returns whether there is one
 */
export function addCalls(
  words: readonly Word[],
  own: ReadonlySet<string>,
  offset: number,
  found: Collector,
): boolean {
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
