import {
  isNode,
  listOf,
  literalText,
  nameOf,
  nameOfKey,
  dotted,
  withoutTypes,
  type Node,
} from "../ast.js";
import type { Names } from "../values/names.js";
import { addEslintName, NAMING_FIELDS } from "../../settings/eslint-names.js";
import type { Collector } from "../../positions.js";

/**
 * Notes the packages that a program with ESLint's older settings (`.eslintrc.js`) names in the object that it exports, and in
 * the `overrides` of that object.
 * @param names the names of the program
 * @returns the strings
 */
export function addEslintProgram(
  program: Node,
  names: () => Names,
  found: Collector,
): ReadonlySet<Node> {
  const strings = new Set<Node>();
  const add = (value: unknown, isWhole: boolean): void => {
    for (const field of listOf(settingsIn(value, names), "properties")) {
      const key = nameOfKey(field);
      const naming = NAMING_FIELDS.find((name) => name === key);
      if (naming)
        for (const each of elementsOf(field["value"])) {
          const text = literalText(each);
          const offset = each.start + 1;
          if (text !== undefined)
            if (addEslintName(naming, { text, offset }, found))
              strings.add(each);
        }
      else if (isWhole && key === "overrides")
        for (const part of elementsOf(field["value"])) add(part, false);
    }
  };
  for (const statement of listOf(program, "body"))
    add(exportedBy(statement), true);
  return strings;
}

/** Returns the value that a statement exports as the settings. */
function exportedBy(statement: Node): unknown {
  if (statement.type === "ExportDefaultDeclaration")
    return statement["declaration"];
  const { expression } = statement;
  return isNode(expression) && dotted(expression["left"]) === "module.exports"
    ? expression["right"]
    : undefined;
}

/** Returns the object of an expression: `{}`, `defineConfig({})`, or a constant with such a value; else an empty node. */
function settingsIn(value: unknown, names: () => Names): Node {
  const node = withoutTypes(value);
  if (node?.type === "ObjectExpression") return node;
  if (node?.type === "CallExpression" && nameOf(node["callee"]) === DEFINES)
    return settingsIn(listOf(node, "arguments")[0], names);
  const constant = node?.type === "Identifier" ? nameOf(node) : "";
  const values = names().constants.filter(([name]) => name === constant);
  const [, only] = values.length === 1 ? (values[0] ?? []) : [];
  return only?.type === "ObjectExpression" ? only : NOTHING;
}

const DEFINES = "defineConfig";
const NOTHING: Node = { type: "Nothing", start: 0, end: 0 };

function elementsOf(value: unknown): readonly Node[] {
  const node = withoutTypes(value);
  if (!node) return [];
  return node.type === "ArrayExpression" ? listOf(node, "elements") : [node];
}
