import type { QueryProblem, Span } from "./syntax.js";

export type Symbol = "(" | ")" | "," | "|" | "&" | "-" | "not";

/** A token: a symbol, or a word (bare or quoted). `or` and `and` become `|` and `&`. */
export type Token = { readonly at: Span } & (
  | { readonly kind: "symbol"; readonly symbol: Symbol }
  | { readonly kind: "word"; readonly text: string; readonly quoted: boolean }
);

const operators: Readonly<Record<string, Symbol>> = {
  or: "|",
  and: "&",
  "-": "-",
  not: "not",
};

/** Splits a query's text into tokens, or returns the first problem. */
export function tokenize(
  text: string,
): { readonly tokens: Token[] } | { readonly problem: QueryProblem } {
  const tokens: Token[] = [];
  let start = 0;
  while (start < text.length) {
    const char = text.charAt(start);
    if (/\s/.test(char)) {
      start++;
    } else if (/[(),|&]/.test(char)) {
      const at = { start, length: 1 };
      tokens.push({ kind: "symbol", symbol: char as Symbol, at });
      start++;
    } else if (char === '"' || char === "'") {
      const length = quotedLength(text, start);
      if (length === undefined)
        return {
          problem: { kind: "unclosed-quote", at: { start, length: 1 } },
        };
      const at = { start, length };
      const inner = text
        .slice(start + 1, start + length - 1)
        .replace(/\\(["'\\])/g, "$1");
      if (inner === "") return { problem: { kind: "empty-text", at } };
      tokens.push({ kind: "word", text: inner, quoted: true, at });
      start += length;
    } else {
      const word = bareWord(text, start);
      const at = { start, length: word.length };
      if (word.startsWith("!"))
        return { problem: { kind: "bang", at: { start, length: 1 } } };
      const symbol = Object.hasOwn(operators, word)
        ? operators[word]
        : undefined;
      tokens.push(
        symbol === undefined
          ? { kind: "word", text: word, quoted: false, at }
          : { kind: "symbol", symbol, at },
      );
      start += word.length;
    }
  }
  return { tokens };
}

/** Returns whether a text needs no quotes, because it is one word and not an operator. */
export function isBareWord(text: string): boolean {
  return (
    text !== "" &&
    !/^[!"'\s(),|&]/.test(text) &&
    !Object.hasOwn(operators, text) &&
    // After an open brace, a comma would be part of the word.
    text.split("{").length <= text.split("}").length &&
    bareWord(text, 0) === text
  );
}

function quotedLength(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let end = start + 1; end < text.length; end++) {
    if (text.charAt(end) === "\\") end++;
    else if (text.charAt(end) === quote) return end + 1 - start;
  }
  return undefined;
}

/** Returns the word up to white space or a symbol. A comma between braces belongs to the glob: `@acme/{ui,web}`. */
function bareWord(text: string, start: number): string {
  let braces = 0;
  let end = start;
  for (; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === "{") braces++;
    else if (char === "}") braces--;
    else if (/[\s()|&"']/.test(char)) break;
    else if (char === "," && braces <= 0) break;
  }
  return text.slice(start, end);
}
