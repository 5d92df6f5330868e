import {
  dotted,
  isNode,
  listOf,
  literalText,
  nameOf,
  nodesOf,
  withoutTypes,
  type Node,
} from "../ast.js";
import { chosen, valueOf, type Following } from "./following.js";
import type { Binding, Part } from "./scopes.js";

/** A list of arguments of the process, the options that a parser makes of them, or one argument as it was given. */
type Arguments = "list" | "options" | "argument";

/** Parsers that get the list of arguments, and the one of Node that reads the list itself. */
const PARSERS = /^(?:minimist|mri|yargsParser|getopts)$/;
const OWN_PARSER = "parseArgs";
/** Methods that return some of the arguments as a list, and those that return one of them. */
const SOME = /^(?:slice|filter|toReversed)$/;
const ONE = /^(?:at|shift|pop|find)$/;

/**
 * Returns whether an expression is exactly one argument of the process: `process.argv[2]`,
 * `minimist(process.argv.slice(2)).pkg`. Its value is then one of the words of the command that starts the program.
 */
export function isArgument(node: unknown, following: Following): boolean {
  return argumentsIn(node, following) === "argument";
}

function argumentsIn(
  value: unknown,
  following: Following,
): Arguments | undefined {
  const node = withoutTypes(chosen(value, following));
  if (!node) return undefined;
  switch (node.type) {
    case "Identifier": {
      const binding = following.scope?.find(String(node["name"]));
      if (binding?.part) return partOf(binding, binding.part, following);
      return binding?.isComplete
        ? valueOf(binding, following, argumentsIn)
        : undefined;
    }
    case "MemberExpression":
      return ofMember(node, following);
    case "CallExpression":
      return ofCall(node, following);
    default:
      return undefined;
  }
}

function partOf(
  binding: Binding,
  { of, path }: Part,
  following: Following,
): Arguments | undefined {
  const { asked, scope } = following;
  if (asked.has(binding)) return undefined;
  asked.add(binding);
  following.scope = of.scope;
  let found = argumentsIn(of.node, following);
  following.scope = scope;
  asked.delete(binding);
  for (const key of path) found = memberOf(found, key);
  return found;
}

/** Returns the meaning of a member. A key of a list is a number, or `...` for the rest of it. */
function memberOf(
  whole: Arguments | undefined,
  key: string | undefined,
): Arguments | undefined {
  if (whole === "list") {
    if (key === "...") return "list";
    return key === undefined || /^\d+$/.test(key) ? "argument" : undefined;
  }
  if (whole !== "options" || key === "...") return undefined;
  if (key === "_" || key === "positionals") return "list";
  return key === "values" ? "options" : "argument";
}

function ofMember(node: Node, following: Following): Arguments | undefined {
  if (dotted(node) === "process.argv") return "list";
  const { property } = node;
  const key =
    node["computed"] !== true
      ? nameOf(property)
      : isNode(property) && typeof property["value"] === "number"
        ? String(property["value"])
        : literalText(property);
  return memberOf(argumentsIn(node["object"], following), key);
}

function ofCall(call: Node, following: Following): Arguments | undefined {
  const { callee } = call;
  const name = nameOf(callee);
  const [first, ...rest] = listOf(call, "arguments");
  if (name === OWN_PARSER)
    return listOf(call, "arguments").every(hasNoDefault)
      ? "options"
      : undefined;
  if (name === "hideBin") return argumentsIn(first, following);
  if (PARSERS.test(name))
    return argumentsIn(first, following) === "list" && rest.every(hasNoDefault)
      ? "options"
      : undefined;
  if (!isNode(callee) || callee.type !== "MemberExpression") return undefined;
  if (!SOME.test(name) && !ONE.test(name)) return undefined;
  const whole = argumentsIn(callee["object"], following);
  if (whole !== "list") return undefined;
  return SOME.test(name) ? "list" : "argument";
}

/** Returns whether an object is known completely, and gives no option a value that isn't in the command. */
function hasNoDefault(options: Node): boolean {
  return options.type === "ObjectExpression" && hasNone(options);
}

function hasNone(node: Node): boolean {
  return (
    node.type !== "SpreadElement" &&
    !(
      node.type === "Property" &&
      /^(?:defaults?|args)$/.test(nameOf(node["key"]))
    ) &&
    nodesOf(node).every(hasNone)
  );
}
