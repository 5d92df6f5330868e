/** What makes a pattern of a path: `*`, `{a,b}`, `[ab]`, `@(a|b)`, and a variable of a shell. */
const SIGN = /[*?{[$]|[@+!]\(/;
/** Of these alone: a query begins with `?`, and Next.js has folders called `[id]`. */
const SURE = /[*{]|[@?+!]\(/;

/** Where words that may be a pattern of paths begin to be one, or -1. */
export function wildAt(words: string): number {
  return words.search(SIGN);
}

/** The same of a string that is a plain path, as a rule. */
export function surelyWildAt(text: string): number {
  return SURE.test(text) ? text.search(SIGN) : -1;
}
