import type { PatternKind } from "./patterns.js";

/** A range of a query's text, in UTF-16 units from its start. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A query as a tree. Each part has its place in the text. The grammar is in docs/filter.md. */
export type Query = { readonly at: Span } & (
  | {
      /** A package's name, a glob over names, or a folder or glob over folders (`./…`). */
      readonly kind: "pattern";
      readonly text: string;
    }
  | { readonly kind: "owner" | "tag"; readonly text: string }
  | {
      readonly kind: "dependents" | "dependencies";
      readonly of: Query;
      /** The maximum number of steps from `of`, at least 1; undefined for any number. */
      readonly depth: number | undefined;
    }
  | { readonly kind: "affected" }
  | {
      /** The union of at least two parts, none of which is a union itself. */
      readonly kind: "union";
      readonly of: readonly Query[];
    }
  | {
      readonly kind: "intersection" | "difference";
      readonly left: Query;
      readonly right: Query;
    }
  | { readonly kind: "complement"; readonly of: Query }
);

/** The reason why a query has no result. The messages are in problems.ts. */
export type QueryProblem = { readonly at: Span } & (
  | {
      readonly kind:
        | "empty-query"
        | "empty-text"
        | "unclosed-quote"
        | "bang"
        | "too-deep";
    }
  | {
      readonly kind: "unexpected";
      /** The text at this place; undefined at the end. */
      readonly found: string | undefined;
      readonly expected: string;
    }
  | { readonly kind: "unclosed-parenthesis" }
  | {
      readonly kind: "unknown-function";
      readonly name: string;
      readonly meant: readonly string[];
    }
  | { readonly kind: "wrong-arguments"; readonly name: FunctionName }
  | { readonly kind: "bad-depth"; readonly found: string }
  | {
      /** It matches no package at all. Otherwise a typo could result in a green run that tests nothing. */
      readonly kind: "no-match";
      readonly what: PatternKind | "owner" | "tag";
      readonly text: string;
      readonly meant: readonly string[];
    }
);

/**
 * All functions of the language, with their usage. A new function needs one line here, and one branch in parse.ts and
 * evaluate.ts.
 */
export const usageOf = {
  owner: "owner(@team)",
  tag: "tag(name)",
  dependents: "dependents(query) or dependents(query, depth)",
  dependencies: "dependencies(query) or dependencies(query, depth)",
  affected: "affected()",
} as const;
export type FunctionName = keyof typeof usageOf;

/** Returns whether a word is the name of a function. */
export function isFunctionName(word: string): word is FunctionName {
  return Object.hasOwn(usageOf, word);
}
