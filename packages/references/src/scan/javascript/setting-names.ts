import {
  FIELDS,
  type KnownField,
  LOADED_BY_FIELD,
  namesPackages,
} from "@skein/known-tools";
import { addNeededTasks, addSetting, isFolderAbove } from "../add-setting.js";
import {
  isNode,
  literalText,
  listOf,
  nameOfKey,
  nodesOf,
  type Node,
} from "./ast.js";
import type { JsonString } from "../json.js";
import { pathIn } from "../path-strings.js";
import type { Collector } from "../positions.js";

/** The form of a package's name, and of the name of its task. Paths are found by their own form. */
const NAME = /^(?:plugin:|module:)?@?[\w-][\w./-]*$/;
/** Options of plug-ins whose values are addresses, folders or texts, and no names of packages. */
const IS_NO_NAME = /^(?:id|path|routeBasePath|slug|title|label|description)$/;
/** An option of Node, as a field of Mocha or AVA has them. */
const OPTION = /^(?:--)?[a-z-]+=@?[\w-][\w./-]*$/;
const TASK = /^@?[\w-][\w./-]*[#:][\w:-]+$/;

/**
 * Notes the packages that a property of a tool's settings names, by the same rules as for the same field of a JSON file.
 * Names of packages below it are added to `handled`.
 * @param isSettings whether the file contains a tool's settings; in any other file, only fields with an unmistakable name
 *   count
 * @returns whether the property is a field that names packages
 */
export function addSettingNames(
  property: Node,
  found: Collector,
  handled: Set<Node>,
  isSettings: boolean,
): boolean {
  const name = nameOfKey(property);
  const field = name === undefined ? undefined : FIELDS.get(name);
  const value = property["value"];
  if (isSettings && name?.includes("#") === true && isNode(value))
    addNeededTasks(name, stringsBelow(value), found);
  if (isSettings && isNode(value) && IS_NO_NAME.test(name ?? ""))
    if (/^[\w-]+$/.test(literalText(value) ?? "")) handled.add(value);
  if (isSettings && name !== undefined && isNode(value))
    addImplied(name, value, property.start, found);
  if (name === undefined || !field?.names || !isNode(value)) return false;
  if (!(isSettings || countsAnywhere(field, value))) return false;
  const isNaming = namesPackages(field);
  if (value.type === "ObjectExpression" && isNaming && field.isMap !== true) {
    if (field.hasNamesAsKeys === true && isSettings)
      addKeys(name, value, found);
    return false;
  }
  const visit = (part: unknown): void => {
    if (!isNode(part)) return;
    if (part.type === "ArrayExpression")
      listOf(part, "elements").forEach(visit);
    // In a list of folders, an object contains the settings of one project, whose fields count separately.
    else if (part.type === "ObjectExpression" && (isNaming || part === value))
      for (const member of nodesOf(part))
        if (!IS_NO_NAME.test(nameOfKey(member) ?? "")) visit(member["value"]);
        else if (NAME.test(literalText(member["value"]) ?? ""))
          handled.add(member["value"] as Node);
    const text = literalText(part);
    if (text === undefined) return;
    const path = pathIn(text);
    if (path !== undefined && isFolderAbove(name, path))
      addSetting(name, { text: path, offset: part.start + 1 }, found);
    if (path !== undefined) return;
    const isTask = field.names === "tasks" && TASK.test(text);
    const isName = NAME.test(text) || OPTION.test(text);
    if (!isName && !isTask && text !== "..") return;
    if (isNaming) handled.add(part);
    addSetting(name, { text, offset: part.start + 1 }, found);
  };
  visit(value);
  if (field.hasNamesAsKeys === true && (isSettings || EXPORTS.test(found.text)))
    addKeys(name, value, found);
  return isNaming;
}

/** Returns all strings in a list, or in an object of lists. */
function stringsBelow(node: Node): readonly JsonString[] {
  const text = literalText(node);
  return text === undefined
    ? nodesOf(node).flatMap(stringsBelow)
    : [{ text, offset: node.start + 1 }];
}

/** Notes the package that a program loads for a field in which none is named: a coverage without a provider. */
function addImplied(
  field: string,
  value: Node,
  offset: number,
  found: Collector,
): void {
  const implied = Object.hasOwn(LOADED_BY_FIELD, field)
    ? LOADED_BY_FIELD[field]
    : undefined;
  if (!implied || value.type !== "ObjectExpression") return;
  const members = listOf(value, "properties");
  if (!members.some((member) => nameOfKey(member) === implied.unless))
    found.add(implied.name, "config", offset);
}

function countsAnywhere({ inSources }: KnownField, value: Node): boolean {
  return (
    inSources === "any" ||
    (inSources === "list" && value.type === "ArrayExpression")
  );
}

/** Code of a file of settings. */
const EXPORTS = /\bmodule\.exports\b|\bexport\s+default\b/;

/** Values that are the options of the plug-in in the key. With any other value, the key may be any word. */
const OPTIONS = /^(?:Object|Array|Conditional)Expression$/;

function addKeys(field: string, value: Node, found: Collector): void {
  if (value.type === "ArrayExpression")
    for (const element of listOf(value, "elements"))
      if (listOf(element, "properties").length === 1)
        addKeys(field, element, found);
  for (const member of listOf(value, "properties")) {
    const text = nameOfKey(member);
    const { key, value: options } = member as Node & {
      key?: unknown;
      value?: unknown;
    };
    if (text === undefined || !isNode(key) || !isNode(options)) continue;
    const isOption =
      OPTIONS.test(options.type) ||
      (options.type === "Literal" && typeof options["value"] !== "string");
    if (isOption)
      addSetting(
        field,
        { text, offset: key.start + (key.type === "Identifier" ? 0 : 1) },
        found,
      );
  }
}
