import { printable } from "@skein/reporting";

/** A problem in words: what is wrong in one sentence, and the way out. */
export interface Words {
  readonly sentence: string;
  readonly hint: string;
}

/** Both in one line, where a report has no second one. */
export function inOneLine(sentence: string, hint: string | undefined): string {
  return hint === undefined ? sentence : `${sentence}; ${hint}`;
}

/** Words for each kind of a problem: one without does not compile. */
export type WordsFor<P extends { readonly code: string }> = {
  readonly [C in P["code"]]: (
    problem: Extract<P, { readonly code: C }>,
  ) => Words;
};

const SHOWN = 5;

/** Returns the first few. */
export function some(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN).map(printable).join(", ");
  const rest = texts.length - SHOWN;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Returns untrusted text in quotes, safe to print. */
export function quote(text: string): string {
  return `"${printable(text)}"`;
}
