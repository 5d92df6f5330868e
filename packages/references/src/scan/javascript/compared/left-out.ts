import { ignoresAll } from "../settings/selecting.js";
import type { Names } from "../values/names.js";
import { isNode, listOf, nameOf, nameOfKey, type Node } from "../ast.js";
import { ASKS, onlyCompares, type ParentOf } from "./compared-elements.js";
import { oncePerName } from "./once-per-name.js";

/** Expressions around a list, or around one of its elements, that are the same list, or a part of another one. */
const SAME_LIST =
  /^(?:ArrayExpression|SpreadElement|ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|LogicalExpression|ConditionalExpression)$/;
/** Methods that compare a value with the elements of a list. */
const COMPARES = /^(?:includes|indexOf|has)$/;

/**
 * Finds the constants that only fields of settings use in which a bundler leaves packages out: `external: deps`,
 * `external: [...deps]`, `external: (id) => deps.includes(id)`. The names in them refer to nothing, as in these fields.
 * @param names the names of the program
 * @returns the strings
 */
export function leftOutConstants(names: Names): readonly Node[] {
  const uses = new Uses(names);
  return names.constants.flatMap(([name, value]) => {
    const strings = stringsIn(value);
    return strings.length > 0 && uses.isLeftOut(name) ? strings : [];
  });
}

/** The uses of constants. */
class Uses {
  readonly #names: Names;
  readonly #parentOf: ParentOf;

  constructor(names: Names) {
    this.#names = names;
    this.#parentOf = (node) => names.parents.get(node);
  }

  /** Returns whether only such fields use a constant. */
  readonly isLeftOut = oncePerName((name) => {
    const { constants, mentions } = this.#names;
    const all = mentions.get(name) ?? [];
    return (
      constants.some(([other]) => other === name) &&
      all.length > 1 &&
      all.every((each) => this.#isDeclared(each) || this.#goesThere(each))
    );
  });

  #isDeclared(mention: Node): boolean {
    const parent = this.#parentOf(mention);
    return parent?.type === "VariableDeclarator" && parent["id"] === mention;
  }

  /** Returns whether a value only becomes one of such a field. */
  #goesThere(value: Node): boolean {
    const parent = this.#parentOf(value);
    if (!parent) return false;
    switch (parent.type) {
      case "Property":
        // A key isn't a use of the constant.
        return parent["value"] === value
          ? isOfField(parent)
          : parent["computed"] !== true;
      case "AssignmentExpression":
        return parent["right"] === value && ignoresAll(fieldOf(parent["left"]));
      case "VariableDeclarator":
        return parent["init"] === value && this.isLeftOut(nameOf(parent["id"]));
      case "NewExpression":
        return nameOf(parent["callee"]) === "Set" && this.#goesThere(parent);
      case "CallExpression":
        return nameOf(parent["callee"]) === "concat" && this.#goesThere(parent);
      case "MemberExpression":
        return parent["object"] === value
          ? this.#isCalledThere(parent)
          : parent["computed"] !== true;
      default:
        return (
          SAME_LIST.test(parent.type) &&
          parent["test"] !== value &&
          this.#goesThere(parent)
        );
    }
  }

  /** Returns whether a method of a list only makes another one for such a field, or compares a value in it. */
  #isCalledThere(method: Node): boolean {
    const call = this.#parentOf(method);
    if (call?.type !== "CallExpression" || call["callee"] !== method)
      return false;
    const name = nameOf(method);
    const [first] = listOf(call, "arguments");
    if (COMPARES.test(name)) return this.#isInField(call);
    if (ASKS.test(name) && onlyCompares(first, this.#parentOf))
      return this.#isInField(call);
    return this.#makesList(name, first) && this.#goesThere(call);
  }

  #makesList(method: string, argument: Node | undefined): boolean {
    switch (method) {
      case "concat":
        return true;
      case "map":
        return makesPattern(argument);
      case "filter":
        return (
          nameOf(argument) === "Boolean" ||
          onlyCompares(argument, this.#parentOf)
        );
      default:
        return method === "sort" && !argument;
    }
  }

  /** Returns whether a node is in a function in such a field. */
  #isInField(node: Node): boolean {
    for (let at: Node | undefined = node; at; at = this.#parentOf(at))
      if (at.type === "Property" && isOfField(at)) return true;
    return false;
  }
}

/** Returns the field that an assignment sets; empty for a variable. */
function fieldOf(target: unknown): string {
  return isNode(target) && target.type === "MemberExpression"
    ? nameOf(target)
    : "";
}

function isOfField(property: Node): boolean {
  return ignoresAll(nameOfKey(property) ?? "");
}

/** Returns whether a function only makes a pattern from a name: `` (name) => new RegExp(`^${name}/`) ``. */
function makesPattern(callback: unknown): boolean {
  if (!isNode(callback) || callback.type !== "ArrowFunctionExpression")
    return false;
  const made = callback["body"];
  if (!isNode(made)) return false;
  const [pattern, ...others] =
    made.type === "NewExpression" && nameOf(made["callee"]) === "RegExp"
      ? listOf(made, "arguments")
      : [made];
  if (!pattern || others.some(({ type }) => type !== "Literal")) return false;
  return isText(pattern);
}

/** Returns whether an expression is a string with variables in it, and calls nothing. */
function isText(node: Node): boolean {
  switch (node.type) {
    case "Literal":
    case "Identifier":
      return true;
    case "TemplateLiteral":
      return listOf(node, "expressions").every(isText);
    case "BinaryExpression":
      return [node["left"], node["right"]].every(
        (part) => isNode(part) && isText(part),
      );
    default:
      return false;
  }
}

/** Returns the strings in a list, also in lists that are spread in it; none of any other value. */
function stringsIn(value: unknown): readonly Node[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case "Literal":
      return typeof value["value"] === "string" ? [value] : [];
    case "ArrayExpression":
      return listOf(value, "elements").flatMap(stringsIn);
    case "SpreadElement":
      return stringsIn(value["argument"]);
    case "ConditionalExpression":
      return [value["consequent"], value["alternate"]].flatMap(stringsIn);
    case "ParenthesizedExpression":
      return stringsIn(value["expression"]);
    case "NewExpression":
      return nameOf(value["callee"]) === "Set"
        ? listOf(value, "arguments").flatMap(stringsIn)
        : [];
    default:
      return [];
  }
}
