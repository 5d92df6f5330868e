import { isNode, nodesOf, type Node } from "../ast.js";

/** Matchers of tests that compare a value. */
export const EXPECTS =
  /^to(?:Be|Equal|StrictEqual|HaveProperty|Contain|ContainEqual|Match|MatchObject)$/;
/** The exported scripts of a program that runs them (nps). */
const RUNS_SCRIPTS =
  /\b(?:module\.exports\s*=|export\s+default)\s*\{\s*scripts\b/;

/**
 * Adds the strings of a value that nothing in the file runs: scripts of a manifest that the program writes, or values that a
 * test expects.
 * @param text the whole file
 */
export function addInert(value: unknown, text: string, inert: Set<Node>): void {
  if (!isNode(value) || RUNS_SCRIPTS.test(text)) return;
  if (value.type !== "ObjectExpression" && value.type !== "Literal") return;
  const visit = (node: Node): void => {
    inert.add(node);
    for (const part of nodesOf(node)) visit(part);
  };
  visit(value);
}
