import {
  isNode,
  listOf,
  nameOf,
  nameOfKey,
  withoutTypes,
  type Node,
} from "../ast.js";
import type { Binding, Scope, Value } from "./scopes.js";

/** A name that gets each element of a list, or a part of it: of a loop, or of a function that a method of the list calls. */
interface Loop {
  readonly name: string;
  /** The field or the index of the part; undefined for the element. */
  readonly key: string | undefined;
  /** The node that opens the name's scope. */
  readonly inside: Node;
  readonly list: Value;
}

/** The loops of a file, and the lists that its constants hold. */
export interface Loops {
  readonly each: Loop[];
  readonly lists: Map<Binding, Value>;
}

/** Methods that call a function with each element of a list, and those that return some of its elements. */
const CALLS_EACH = /^(?:map|forEach|flatMap|filter|some|every|find|findIndex)$/;
const RETURNS_SOME = /^(?:filter|slice|toReversed|toSorted|sort|reverse)$/;

/** Remembers the names that a loop declares, or those of the first parameter of a function that a method of a list calls. */
export function rememberLoop(node: Node, scope: Scope, { each }: Loops): void {
  if (node.type === "ForOfStatement") {
    const { left, right } = node;
    if (!isNode(left) || left["kind"] !== "const" || !isNode(right)) return;
    const [declarator] = listOf(left, "declarations");
    remember(declarator?.["id"], node, right);
  } else {
    const { callee } = node;
    const [first] = listOf(node, "arguments");
    if (!isNode(callee) || callee.type !== "MemberExpression" || !first) return;
    const list = callee["object"];
    if (CALLS_EACH.test(nameOf(callee)) && isNode(list))
      remember(listOf(first, "params")[0], first, list);
  }
  function remember(element: unknown, inside: Node, list: Node): void {
    for (const [name, key] of namesIn(element))
      each.push({ name, key, inside, list: { node: list, scope } });
  }
}

type NameAndKey = readonly [name: string, key: string | undefined];

/** Returns the names of an element: its own, or those of its parts. A name with a default may have another value. */
function namesIn(element: unknown): readonly NameAndKey[] {
  if (!isNode(element)) return [];
  switch (element.type) {
    case "Identifier":
      return [[nameOf(element), undefined]];
    case "ArrayPattern":
      return (element["elements"] as readonly unknown[]).flatMap(
        (part, index) => namesOfPart(part, String(index)),
      );
    case "ObjectPattern":
      return listOf(element, "properties").flatMap((property) =>
        property.type === "Property" && property["computed"] !== true
          ? namesOfPart(property["value"], nameOf(property["key"]))
          : [],
      );
    default:
      return [];
  }
}

function namesOfPart(part: unknown, key: string): readonly NameAndKey[] {
  return isNode(part) && part.type === "Identifier"
    ? [[nameOf(part), key]]
    : [];
}

/** The facts about a file's names that decide whether all elements of a list are known. */
interface Known {
  readonly scopes: ReadonlyMap<Node, Scope>;
  /** How often each name occurs in the file, with any meaning. */
  readonly mentions: ReadonlyMap<string, number>;
  /** Names that get another value after their declaration. */
  readonly changed: ReadonlySet<Binding | undefined>;
  /** Returns the value of an expression, if it may be a part of a path. */
  readonly valueOf: (node: unknown, scope: Scope) => Value | undefined;
}

/** Gives the elements of lists to the names of loops, if nothing can add an element. */
export function giveElements({ each, lists }: Loops, known: Known): void {
  const uses = new Map<string, Set<Node>>();
  const wholes = new Set<string>();
  for (const { key, inside, list } of each) {
    const name = nameOf(listIn(list.node));
    uses.set(name, (uses.get(name) ?? new Set()).add(inside));
    if (key === undefined) wholes.add(name);
  }
  for (const { name, key, inside, list } of each) {
    const binding = known.scopes.get(inside)?.names.get(name);
    if (!binding || binding.values.length > 0 || known.changed.has(binding))
      continue;
    const values = elementsOf(list, key);
    if (values.length === 0) continue;
    binding.values.push(...values);
    binding.isComplete = true;
    // All parts are those of the same element.
    if (key !== undefined) binding.callee = inside;
  }
  function elementsOf(
    { node, scope }: Value,
    key: string | undefined,
  ): readonly Value[] {
    const list = listIn(node);
    if (list?.type === "Identifier") {
      const name = nameOf(list);
      const binding = scope.find(name);
      const value = binding && lists.get(binding);
      const isOnlyRead =
        known.mentions.get(name) === (uses.get(name)?.size ?? 0) + 1 &&
        // A loop that gets the elements can change their parts.
        (key === undefined || !wholes.has(name));
      return value && isOnlyRead ? elementsOf(value, key) : [];
    }
    if (list?.type !== "ArrayExpression") return [];
    const elements = listOf(list, "elements");
    const values = elements.flatMap(
      (element) =>
        known.valueOf(
          withoutTypes(partOf(withoutTypes(element), key)),
          scope,
        ) ?? [],
    );
    return values.length === elements.length ? values : [];
  }
}

/** Returns the part of an element with a key; undefined if a spread may give it another value, or if it has none. */
function partOf(
  element: Node | undefined,
  key: string | undefined,
): Node | undefined {
  if (!element || key === undefined) return element;
  const isList = element.type === "ArrayExpression";
  const parts = listOf(element, isList ? "elements" : "properties");
  if (parts.some(({ type }) => type === "SpreadElement")) return undefined;
  const part = isList
    ? (element["elements"] as readonly unknown[])[Number(key)]
    : parts.findLast((property) => nameOfKey(property) === key)?.["value"];
  return isNode(part) ? part : undefined;
}

/** Returns the list of which an expression is a part: `list.filter(…).sort()`. */
function listIn(value: unknown): Node | undefined {
  const node = withoutTypes(value);
  const callee = node?.type === "CallExpression" ? node["callee"] : undefined;
  return isNode(callee) && RETURNS_SOME.test(nameOf(callee))
    ? listIn(callee["object"])
    : node;
}
