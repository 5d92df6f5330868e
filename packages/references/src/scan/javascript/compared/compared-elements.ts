import {
  isNode,
  listOf,
  nameOf,
  nodesOf,
  withoutTypes,
  type Node,
} from "../ast.js";

/** Returns the node around a node. */
export type ParentOf = (node: Node) => Node | undefined;

/** Methods of a list that return only whether, or where, a function accepts one of its elements. */
export const ASKS = /^(?:some|every|findIndex|findLastIndex)$/;
/** Methods of a list that return the elements which a function accepts. */
export const CHOOSES = /^(?:filter|find|findLast)$/;
/** Methods of any string that compare it with their argument. */
export const OF_OTHERS =
  /^(?:includes|startsWith|endsWith|indexOf|lastIndexOf)$/;
export const SAME = /^[!=]==?$/;
const FUNCTION = /^(?:FunctionExpression|ArrowFunctionExpression)$/;

/** Expressions around a value that are the same value. */
const SAME_VALUE =
  /^(?:ParenthesizedExpression|ChainExpression|TSNonNullExpression|TSAsExpression|TSSatisfiesExpression)$/;

/**
 * Returns whether a function that gets the elements of a list only compares them:
 * `([name, method]) => method === asked && name.startsWith(scope)`.
 */
export function onlyCompares(callback: unknown, parentOf: ParentOf): boolean {
  const node = withoutTypes(callback);
  if (!node || !FUNCTION.test(node.type)) return false;
  const [element, ...others] = listOf(node, "params");
  const names = new Set<string>();
  // The third parameter is the list itself.
  if (!element || others.length > 1 || !addNames(element, names)) return false;
  return isNode(node["body"]) && comparesOnly(node["body"], names, parentOf);
}

/**
 * Adds the names that a parameter takes from an element.
 * @returns whether they are all: a default or a rest may have other values
 */
function addNames(pattern: Node, names: Set<string>): boolean {
  switch (pattern.type) {
    case "Identifier":
      names.add(nameOf(pattern));
      return true;
    case "ArrayPattern":
      return listOf(pattern, "elements").every((each) => addNames(each, names));
    case "ObjectPattern":
      return listOf(pattern, "properties").every(
        ({ type, value }) =>
          type === "Property" && isNode(value) && addNames(value, names),
      );
    default:
      return false;
  }
}

function comparesOnly(
  node: Node,
  names: ReadonlySet<string>,
  parentOf: ParentOf,
): boolean {
  if (node.type === "Identifier" && nameOf(node) === "arguments") return false;
  if (node.type === "Identifier" && names.has(nameOf(node)))
    return isCompared(node, parentOf);
  return nodesOf(node).every((child) => comparesOnly(child, names, parentOf));
}

/** Returns whether a value, or a part or a longer form of it, is only compared with something. */
function isCompared(value: Node, parentOf: ParentOf): boolean {
  const parent = parentOf(value);
  if (!parent) return false;
  switch (parent.type) {
    case "BinaryExpression":
      return (
        SAME.test(String(parent["operator"])) ||
        (parent["operator"] === "+" && isCompared(parent, parentOf))
      );
    case "TemplateLiteral":
      return isCompared(parent, parentOf);
    case "MemberExpression": {
      if (parent["object"] !== value) return false;
      const call = parentOf(parent);
      return call?.type === "CallExpression" && call["callee"] === parent
        ? parent["computed"] !== true && OF_OTHERS.test(nameOf(parent))
        : isCompared(parent, parentOf);
    }
    case "CallExpression":
      return (
        OF_OTHERS.test(nameOf(parent["callee"])) &&
        listOf(parent, "arguments")[0] === value
      );
    default:
      return SAME_VALUE.test(parent.type) && isCompared(parent, parentOf);
  }
}

/**
 * Returns whether only the presence or the number of elements matters of a value: `if (found)`, `found.length > 0`.
 * @param isOnlyAsked returns the same for the value of a constant
 */
export function isAsked(
  value: Node,
  parentOf: ParentOf,
  isOnlyAsked: (name: string) => boolean,
): boolean {
  const parent = parentOf(value);
  if (!parent) return false;
  switch (parent.type) {
    case "MemberExpression":
      return (
        parent["object"] === value &&
        parent["computed"] !== true &&
        nameOf(parent) === "length"
      );
    case "UnaryExpression":
      return parent["operator"] === "!";
    case "BinaryExpression":
      return SAME.test(String(parent["operator"]));
    case "IfStatement":
    case "ConditionalExpression":
      return parent["test"] === value;
    case "VariableDeclarator": {
      const { id } = parent;
      return isNode(id) && id.type === "Identifier" && isOnlyAsked(nameOf(id));
    }
    default:
      return (
        SAME_VALUE.test(parent.type) && isAsked(parent, parentOf, isOnlyAsked)
      );
  }
}
