import type { PatternKind } from "./patterns.js";

/** A piece of a query's text: UTF-16 units from its start. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A query as a tree, each part with its place in the text. The grammar is in docs/filter.md. */
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
      /** Most steps from `of`, at least 1; any number where undefined. */
      readonly depth: number | undefined;
    }
  | { readonly kind: "affected" }
  | {
      /** In any of them. At least two; none of them is a union itself. */
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

/** Why a query has no answer. The words are in problems.ts. */
export type QueryProblem = { readonly at: Span } & (
  | {
      readonly kind:
        "empty-query" | "empty-text" | "unclosed-quote" | "bang" | "too-deep";
    }
  | {
      readonly kind: "unexpected";
      /** What stands there; undefined at the end of the text. */
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
      /** It stands for no package at all: a run that tests nothing for a slip of the pen would be green. */
      readonly kind: "no-match";
      readonly what: PatternKind | "owner" | "tag";
      readonly text: string;
      readonly meant: readonly string[];
    }
);

/** Every function of the language with how it is called: one line here, one branch in parse.ts and evaluate.ts. */
export const usageOf = {
  owner: "owner(@team)",
  tag: "tag(name)",
  dependents: "dependents(query) or dependents(query, depth)",
  dependencies: "dependencies(query) or dependencies(query, depth)",
  affected: "affected()",
} as const;
export type FunctionName = keyof typeof usageOf;

/** Whether a word names a function of the language. */
export function isFunctionName(word: string): word is FunctionName {
  return Object.hasOwn(usageOf, word);
}
