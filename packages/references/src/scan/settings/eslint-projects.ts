import type { Node as JsonNode } from "jsonc-parser";
import { isNode, listOf, nameOfKey, type Node } from "../javascript/ast.js";
import type { Names } from "../javascript/values/names.js";
import { propertiesOf, stringsOf } from "../json.js";

const PROJECT = "project";

/**
 * Returns whether options of ESLint contain projects: those of its parser, and of a resolver of imports.
 * @param names the field with the options, and the one around it
 */
function haveProjects([field, outer]: readonly (string | undefined)[]) {
  return (
    field === "parserOptions" ||
    (field === "typescript" && /^import(?:-x)?\/resolver/.test(outer ?? ""))
  );
}

/** Most files contain no such option; then the names of the program aren't read. */
export const NAMES_PROJECT =
  /\b(?:parserOptions|import\/resolver)\b[^]*\bproject\b/;

/**
 * Finds the tsconfigs that ESLint's settings name as projects of TypeScript. The parser reads the options in such a tsconfig. Of
 * the project's files, only those matter that a linted file imports.
 * @returns the expressions of their paths: `project: ["./packages/*\/tsconfig.json"]`
 */
export function eslintProjects({ mentions, parents }: Names): readonly Node[] {
  return (mentions.get(PROJECT) ?? []).flatMap((mention) => {
    const property = parents.get(mention);
    if (property?.type !== "Property" || property["key"] !== mention) return [];
    if (!haveProjects(fieldsAround(property, parents))) return [];
    const { value } = property;
    if (!isNode(value)) return [];
    return value.type === "ArrayExpression"
      ? listOf(value, "elements")
      : [value];
  });
}

/** Returns the names of the fields whose objects contain a property, the nearest first. */
function fieldsAround(
  property: Node,
  parents: Names["parents"],
): readonly (string | undefined)[] {
  const object = parents.get(property);
  const around = object && parents.get(object);
  return around?.type === "Property"
    ? [nameOfKey(around), ...fieldsAround(around, parents)]
    : [];
}

/** Returns the places of the same paths in settings in JSON, without the quotes. */
export function eslintProjectsIn(
  root: JsonNode,
  fields: readonly string[] = [],
): readonly number[] {
  if (root.type === "array")
    return (root.children ?? []).flatMap((each) =>
      eslintProjectsIn(each, fields),
    );
  return propertiesOf(root).flatMap(({ key, value }) =>
    key === PROJECT && haveProjects(fields)
      ? stringsOf(value).map(({ offset }) => offset)
      : eslintProjectsIn(value, [key, ...fields]),
  );
}
