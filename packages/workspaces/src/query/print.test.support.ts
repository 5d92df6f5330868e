import type { Query } from "./syntax.js";
import { isBareWord } from "./tokens.js";

/** The precedence of each kind. A part with a lower precedence than its place needs is put in parentheses. */
const tightness: Readonly<Record<Query["kind"], number>> = {
  union: 0,
  intersection: 1,
  difference: 1,
  complement: 2,
  pattern: 3,
  owner: 3,
  tag: 3,
  dependents: 3,
  dependencies: 3,
  affected: 3,
};

/** Formats a query as text, with symbols and without needless parentheses. Parsing it results in the same query. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case "pattern":
      return word(query.text);
    case "owner":
    case "tag":
      return `${query.kind}(${word(query.text)})`;
    case "affected":
      return "affected()";
    case "dependents":
    case "dependencies": {
      const depth = query.depth === undefined ? "" : `, ${query.depth}`;
      return `${query.kind}(${printQuery(query.of)}${depth})`;
    }
    case "complement":
      return `not ${within(query.of, 2)}`;
    case "union":
      return query.of.map((part) => within(part, 1)).join(" | ");
    case "intersection":
      return `${within(query.left, 1)} & ${within(query.right, 2)}`;
    case "difference":
      return `${within(query.left, 1)} - ${within(query.right, 2)}`;
  }
}

function within(query: Query, least: number): string {
  const text = printQuery(query);
  return tightness[query.kind] < least ? `(${text})` : text;
}

function word(text: string): string {
  return isBareWord(text) ? text : `"${text.replace(/["'\\]/g, "\\$&")}"`;
}
