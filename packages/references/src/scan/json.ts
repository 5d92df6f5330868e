import { parseTree, type Node } from "jsonc-parser";
import type { ReferenceKind } from "../reference.js";
import type { Collector } from "./positions.js";

export type { Node as JsonNode } from "jsonc-parser";

/** A string in a JSON file, and the offset of its first character. */
export interface JsonString {
  readonly text: string;
  readonly offset: number;
}

/** Reads JSON with comments and trailing commas, like tsc, ESLint and Babel; invalid parts are skipped. */
export function readJson(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

/** Returns the value at a path of keys. */
export function at(
  node: Node | undefined,
  ...keys: readonly string[]
): Node | undefined {
  let here = node;
  for (const key of keys) {
    const children: readonly Node[] =
      (here?.type === "object" ? here.children : undefined) ?? [];
    here = children.findLast(
      ({ children: parts }) => parts?.[1] && parts[0]?.value === key,
    )?.children?.[1];
  }
  return here;
}

/**
 * Returns an object's values by key. Reading a manifest looks up dozens of fields, so one pass through them all is
 * faster than `at`.
 */
export function fieldsOf(node: Node | undefined): ReadonlyMap<string, Node> {
  const fields = new Map<string, Node>();
  for (const { key, value } of propertiesOf(node))
    if (!fields.has(key)) fields.set(key, value);
  return fields;
}

/** Returns an object's properties; none for any other value. Of equal keys, the last counts, so it comes first. */
export function propertiesOf(
  node: Node | undefined,
): readonly { key: string; keyNode: Node; value: Node }[] {
  if (node?.type !== "object") return [];
  const properties: { key: string; keyNode: Node; value: Node }[] = [];
  for (const child of node.children ?? []) {
    const [keyNode, value] = child.children ?? [];
    if (keyNode && value)
      properties.push({ key: String(keyNode.value), keyNode, value });
  }
  return properties.reverse();
}

/** Returns all strings at or below a node, without keys. */
export function stringsOf(node: Node | undefined): readonly JsonString[] {
  if (!node) return [];
  if (node.type === "string")
    return [{ text: String(node.value), offset: node.offset + 1 }];
  if (node.type === "array") return (node.children ?? []).flatMap(stringsOf);
  return propertiesOf(node)
    .toReversed()
    .flatMap(({ value }) => stringsOf(value));
}

/** Notes all strings at or below a node as references of one kind. */
export function addStrings(
  node: Node | undefined,
  kind: ReferenceKind,
  found: Collector,
): void {
  for (const { text, offset } of stringsOf(node)) found.add(text, kind, offset);
}

/** Other values contain no references: `"private": true`. */
const HOLDS_TEXT = /^(?:string|array|object)$/;

/**
 * Returns a file's text with spaces in place of everything except the values of unknown fields, which are some program's
 * settings.
 */
export function otherFields(
  root: Node | undefined,
  text: string,
  known: ReadonlySet<string>,
): string {
  let kept = "";
  for (const { key, value } of propertiesOf(root).toReversed())
    if (
      !known.has(key) &&
      HOLDS_TEXT.test(value.type) &&
      value.offset >= kept.length
    )
      kept =
        kept.padEnd(value.offset) +
        text.slice(value.offset, value.offset + value.length);
  return kept;
}
