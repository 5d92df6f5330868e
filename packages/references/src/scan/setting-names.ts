import { isNode, literalText, listOf, nodesOf, type Node } from "./ast.js";
import { pathIn } from "./path-strings.js";
import type { Collector } from "./positions.js";
import { namesOf } from "./tool-config.js";

/** Settings of Jest, Babel and ESLint that name packages, where a script makes them. */
export const SETTINGS = [
  "preset",
  "presets",
  "plugins",
  "extends",
  "transform",
  "setupFiles",
  "setupFilesAfterEnv",
  "globalSetup",
  "globalTeardown",
  "testEnvironment",
  "testRunner",
  "runner",
  "reporters",
  "resolver",
  "snapshotSerializers",
  "watchPlugins",
] as const;
const FIELDS: ReadonlySet<string> = new Set(SETTINGS);

/**
 * Notes the names of packages in a property that is such a setting; strings below it are put into `taken`.
 * @returns whether it is one
 */
export function addSettingNames(
  property: Node,
  found: Collector,
  taken: Set<Node>,
): boolean {
  const key = property["key"];
  if (!isNode(key)) return false;
  const field = key.type === "Identifier" ? key["name"] : literalText(key);
  if (typeof field !== "string" || !FIELDS.has(field)) return false;
  const kind = field === "preset" || field === "extends" ? "extends" : "config";
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    if (value.type === "ArrayExpression")
      listOf(value, "elements").forEach(visit);
    else if (value.type === "ObjectExpression")
      for (const member of nodesOf(value)) visit(member["value"]);
    const text = literalText(value);
    if (text === undefined || pathIn(text) !== undefined) return;
    if (!/^@?[\w-][\w./-]*$/.test(text)) return;
    taken.add(value);
    for (const name of namesOf(field, text))
      found.add(name, kind, value.start + 1);
  };
  visit(property["value"]);
  return true;
}
