/** Characters that make a path a pattern: `*`, `{a,b}`, `[ab]`, `@(a|b)`, `(a|b)`, and a shell variable. */
const SIGN = /[*?{[$]|[@+!]\(|\([\w.@/-]+\|/;
/** Those of them that are certain: a query begins with `?`, and Next.js has folders named `[id]`. */
const SURE = /[*{]|[@?+!]\(|\([\w.@/-]+\|/;

/** Returns the offset at which words become a pattern of paths, or -1. */
export function wildAt(words: string): number {
  return words.search(SIGN);
}

/** Returns the same for a string that is usually a plain path. */
export function surelyWildAt(text: string): number {
  return SURE.test(text) ? text.search(SIGN) : -1;
}

/** Replaces a part of a text by spaces, so that the offsets and lines of the rest stay the same. */
export function blank(part: string): string {
  return part.includes("\n")
    ? part.replaceAll(/[^\n]/g, " ")
    : " ".repeat(part.length);
}
