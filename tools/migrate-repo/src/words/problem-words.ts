import { printable } from "@skein/reporting";

/** A problem in words: what is wrong in one sentence, and a hint. */
export interface Words {
  readonly sentence: string;
  readonly hint: string;
}

/** Joins a sentence and its hint in one line. */
export function inOneLine(sentence: string, hint: string | undefined): string {
  return hint === undefined ? sentence : `${sentence}; ${hint}`;
}

/** The words for each code of a problem. A missing code doesn't compile. */
export type WordsFor<P extends { readonly code: string }> = {
  readonly [C in P["code"]]: (
    problem: Extract<P, { readonly code: C }>,
  ) => Words;
};

/** A line of a text; false and undefined for no line. */
export type Line = string | false | undefined;

/** Returns the lines that are text. */
export function present(lines: readonly Line[]): readonly string[] {
  return lines.filter((line) => typeof line === "string");
}

/** Returns the first texts, safe to print, and the number of the others. */
export function some(texts: readonly string[], most = 5): string {
  const shown = texts.slice(0, most).map(printable).join(", ");
  const rest = texts.length - most;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Returns the name of a branch or a tag as people write it, safe to print. */
export function shortRef(ref: string): string {
  return printable(ref.replace(/^refs\/(?:heads|tags)\//, ""));
}

/** Returns untrusted text in quotes, safe to print. */
export function quote(text: string): string {
  return `"${printable(text)}"`;
}
