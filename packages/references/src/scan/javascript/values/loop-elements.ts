import { isNode, listOf, nameOf, withoutTypes, type Node } from "../ast.js";
import type { Binding, Scope, Value } from "./scopes.js";

/** A name that gets each element of a list: of a loop, or of a function that a method of the list calls. */
interface Loop {
  readonly name: string;
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

/** Remembers the name that a loop declares, or the first parameter of a function that a method of a list calls. */
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
    if (isNode(element) && element.type === "Identifier")
      each.push({ name: nameOf(element), inside, list: { node: list, scope } });
  }
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
  const uses = new Map<string, number>();
  for (const { list } of each) {
    const name = nameOf(listIn(list.node));
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  for (const { name, inside, list } of each) {
    const binding = known.scopes.get(inside)?.names.get(name);
    if (!binding || binding.values.length > 0 || known.changed.has(binding))
      continue;
    const values = elementsOf(list);
    if (values.length === 0) continue;
    binding.values.push(...values);
    binding.isComplete = true;
  }
  function elementsOf({ node, scope }: Value): readonly Value[] {
    const list = listIn(node);
    if (list?.type === "Identifier") {
      const name = nameOf(list);
      const binding = scope.find(name);
      const value = binding && lists.get(binding);
      const isOnlyRead = known.mentions.get(name) === (uses.get(name) ?? 0) + 1;
      return value && isOnlyRead ? elementsOf(value) : [];
    }
    if (list?.type !== "ArrayExpression") return [];
    const elements = listOf(list, "elements");
    const values = elements.flatMap(
      (element) => known.valueOf(withoutTypes(element), scope) ?? [],
    );
    return values.length === elements.length ? values : [];
  }
}

/** Returns the list of which an expression is a part: `list.filter(…).sort()`. */
function listIn(value: unknown): Node | undefined {
  const node = withoutTypes(value);
  const callee = node?.type === "CallExpression" ? node["callee"] : undefined;
  return isNode(callee) && RETURNS_SOME.test(nameOf(callee))
    ? listIn(callee["object"])
    : node;
}
