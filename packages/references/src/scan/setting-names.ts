import { isNode, literalText, listOf, nodesOf, type Node } from "./ast.js";
import { pathIn } from "./path-strings.js";
import type { Collector } from "./positions.js";
import { namesOf } from "./tool-names.js";

/** Settings of Jest, Babel, ESLint and others that name packages, where a script makes them. */
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
/** The same where they are lists: TypeDoc's, Storybook's, Next's. A single word behind the name is about anything. */
export const LISTS = [
  "plugin",
  "addons",
  "swcPlugins",
  "transpilePackages",
] as const;
/** Mocha's and AVA's `require` is a word that is looked for anyway. */
const FIELDS: ReadonlySet<string> = new Set([...SETTINGS, "require"]);
const LIST_FIELDS: ReadonlySet<string> = new Set(LISTS);

/** The name of a property, perhaps in quotes. */
function nameOfKey({ key, computed }: Node): string | undefined {
  if (!isNode(key) || computed === true) return undefined;
  return key.type === "Identifier" ? String(key["name"]) : literalText(key);
}

/**
 * Notes the names of packages in a property that is such a setting; strings below it are put into `taken`.
 * @returns whether it is one
 */
export function addSettingNames(
  property: Node,
  found: Collector,
  taken: Set<Node>,
): boolean {
  const field = nameOfKey(property);
  if (field === undefined) return false;
  const { value } = property as Node & { value?: unknown };
  const isList = isNode(value) && value.type === "ArrayExpression";
  if (!FIELDS.has(field) && !(isList && LIST_FIELDS.has(field))) return false;
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
  visit(value);
  if (field === "plugins" && EXPORTS.test(found.text)) addKeys(value, found);
  return true;
}

/** What a file of settings does. */
const EXPORTS = /\bmodule\.exports\b|\bexport\s+default\b/;

/** PostCSS, GraphQL Code Generator: plug-ins as the keys of their options. Elsewhere a key is any word for what a name or a call says. */
function addKeys(value: unknown, found: Collector): void {
  if (!isNode(value)) return;
  if (value.type === "ArrayExpression")
    for (const element of listOf(value, "elements"))
      if (listOf(element, "properties").length === 1) addKeys(element, found);
  for (const member of listOf(value, "properties")) {
    const key = nameOfKey(member);
    const options = member["value"];
    if (key === undefined || !isNode(options)) continue;
    if (
      /^(?:Object|Conditional)Expression$/.test(options.type) ||
      typeof options["value"] === "boolean"
    )
      found.add(key, "config", (member["key"] as Node).start);
  }
}
