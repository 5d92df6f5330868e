import type { Node as JsonNode } from "jsonc-parser";
import { isNode, listOf, nameOfKey, type Node } from "../javascript/ast.js";
import type { Names } from "../javascript/values/names.js";
import { propertiesOf, stringsOf } from "../json.js";

/** Options of ESLint that contain projects: of its parser for TypeScript, and of a resolver of imports. */
const HAVE_PROJECTS = /^(?:parserOptions|typescript)$/;
const PROJECT = "project";
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
    const options = parents.get(property);
    const around = options && parents.get(options);
    if (!HAVE_PROJECTS.test((around && nameOfKey(around)) ?? "")) return [];
    const { value } = property;
    if (!isNode(value)) return [];
    return value.type === "ArrayExpression"
      ? listOf(value, "elements")
      : [value];
  });
}

/** Returns the places of the same paths in settings in JSON, without the quotes. */
export function eslintProjectsIn(
  root: JsonNode,
  field = "",
): readonly number[] {
  if (root.type === "array")
    return (root.children ?? []).flatMap((each) => eslintProjectsIn(each));
  return propertiesOf(root).flatMap(({ key, value }) =>
    key === PROJECT && HAVE_PROJECTS.test(field)
      ? stringsOf(value).map(({ offset }) => offset)
      : eslintProjectsIn(value, key),
  );
}
