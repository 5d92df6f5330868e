import {
  isNode,
  listOf,
  literalText,
  nameOf,
  nodesOf,
  type Node,
} from "../ast.js";

/** Returns the strings of a constant: a string, a list, a set; none of any other value. */
export function stringsIn(value: Node): readonly Node[] {
  switch (value.type) {
    case "Literal":
    case "TemplateLiteral":
      return [value];
    case "ArrayExpression":
      return listOf(value, "elements").flatMap(stringsIn);
    case "NewExpression":
      return nameOf(value["callee"]) === "Set"
        ? listOf(value, "arguments").flatMap(stringsIn)
        : [];
    case "CallExpression": {
      const { callee } = value;
      const list = isNode(callee) ? callee["object"] : undefined;
      const [change, ...others] = listOf(value, "arguments");
      // The alternatives of a pattern.
      if (nameOf(callee) === "join" && isNode(list))
        return literalText(change) === "|" ? stringsIn(list) : [];
      return nameOf(callee) === "map" &&
        isNode(list) &&
        change?.type === "ArrowFunctionExpression" &&
        others.length === 0 &&
        listOf(change, "params").every(({ type }) => type === "Identifier") &&
        isNode(change["body"]) &&
        onlyMakesStrings(change["body"])
        ? [...stringsIn(list), change["body"]]
        : [];
    }
    default:
      return [];
  }
}

/** Methods of strings and functions of paths, none of which opens anything. */
const MAKES_STRINGS =
  /^(?:concat|join|normalize|padEnd|padStart|relative|repeat|replace|replaceAll|resolve|slice|split|substring|toLowerCase|toUpperCase|trim)$/;
/** Expressions that make strings of others, with the parts of them. */
const OF_STRINGS =
  /^(?:Identifier|Literal|TemplateLiteral|TemplateElement|MemberExpression|BinaryExpression|ConditionalExpression|LogicalExpression|ParenthesizedExpression|CallExpression)$/;

/** Returns whether an expression makes another string, and does nothing else: `join(root, x.replaceAll("/", sep))`. */
function onlyMakesStrings(node: Node): boolean {
  return (
    OF_STRINGS.test(node.type) &&
    (node.type !== "CallExpression" ||
      MAKES_STRINGS.test(nameOf(node["callee"]))) &&
    nodesOf(node).every(onlyMakesStrings)
  );
}
