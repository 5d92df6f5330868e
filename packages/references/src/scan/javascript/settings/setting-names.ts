import {
  FIELDS,
  type KnownField,
  LOADED_BY_FIELD,
  namesPackages,
} from "@skein/known-tools";
import {
  addNeededTasks,
  addSetting,
  isFolderAbove,
} from "../../add-setting.js";
import {
  isNode,
  literalText,
  listOf,
  nameOf,
  nameOfKey,
  nodesOf,
  type Node,
} from "../ast.js";
import type { JsonString } from "../../json.js";
import { pathIn } from "../../path-strings.js";
import { ignoresAll } from "./selecting.js";
import type { Names } from "../values/names.js";
import type { Collector } from "../../positions.js";

/** The form of a package's name, and of the name of its task. Paths are found by their own form. */
const NAME = /^(?:plugin:|module:)?@?[\w-][\w./-]*$/;
/** Such a name that can't be a file: in a scope, or a word. */
const NO_FILE = /^@|^[\w-]+$/;
/** Options of plug-ins whose values are addresses, folders, texts or names of other things, and no names of packages. */
const IS_NO_NAME =
  /^(?:id|path|routeBasePath|slug|title|label|description|dependOn|filename|library|runtime|find)$/;
/** An option of Node, as a field of Mocha or AVA has them. */
const OPTION = /^(?:--)?[a-z-]+=@?[\w-][\w./-]*$/;
const TASK = /^@?[\w-][\w./-]*[#:][\w:-]+$/;

/** The program that contains a field. */
interface FieldPlace {
  readonly found: Collector;
  /** Names of packages in fields are added here. */
  readonly handled: Set<Node>;
  /** The file contains a tool's settings. In any other file, only fields with an unmistakable name count. */
  readonly hasSettings: boolean;
  /** The names of the program; undefined if it is too large. */
  readonly names: (() => Names) | undefined;
  /** Names whose meaning is known, and which are noted. */
  readonly named: ReadonlySet<Node>;
}

/**
 * Notes the packages that a property of a tool's settings names, by the same rules as for the same field of a JSON file.
 * @returns whether the property is a field that names packages
 */
export function addSettingNames(property: Node, place: FieldPlace): boolean {
  const { found, handled, hasSettings: isSettings } = place;
  const name = nameOfKey(property);
  const value = property["value"];
  if (isSettings && name?.includes("#") === true && isNode(value))
    addNeededTasks(name, stringsBelow(value), found);
  if (isSettings && isNode(value) && IS_NO_NAME.test(name ?? ""))
    if (/^[\w-]+$/.test(literalText(value) ?? "")) handled.add(value);
  if (isSettings && name !== undefined && isNode(value))
    addImplied(name, value, property.start, found);
  return name !== undefined && addFieldNames(name, value, place);
}

/**
 * Notes the packages that the value of a field names. A class of plug-ins is a field too, whose value is the argument:
 * `new ProvidePlugin({ React: "x" })`.
 */
export function addFieldNames(
  name: string,
  value: unknown,
  place: FieldPlace,
): boolean {
  const { found, handled, hasSettings: isSettings } = place;
  const field = FIELDS.get(name);
  if (!field?.names || !isNode(value)) return false;
  if (!(isSettings || countsAnywhere(field, value))) return false;
  const isNaming = namesPackages(field);
  if (value.type === "ObjectExpression" && isNaming && field.isMap !== true) {
    if (field.hasNamesAsKeys === true && isSettings)
      addKeys(name, value, place);
    return false;
  }
  const seen = new Set<Node>();
  const visit = (part: unknown, isElement = false): void => {
    // A constant may contain itself, because scopes aren't distinguished.
    if (!isNode(part) || seen.has(part) || place.named.has(part)) return;
    seen.add(part);
    if (part.type === "ArrayExpression")
      for (const each of listOf(part, "elements")) visit(each, true);
    // In a list of folders, an object contains the settings of one project, whose fields count separately.
    else if (part.type === "ObjectExpression" && (isNaming || !isElement))
      for (const member of nodesOf(part))
        if (ignoresAll(nameOfKey(member) ?? "")) continue;
        else if (!IS_NO_NAME.test(nameOfKey(member) ?? ""))
          visit(member["value"]);
        else if (NAME.test(literalText(member["value"]) ?? ""))
          handled.add(member["value"] as Node);
    const text = literalText(part);
    if (text === undefined) {
      if (isSettings)
        for (const each of partsOf(part, place)) visit(each, isElement);
      return;
    }
    const path = pathIn(text);
    if (path !== undefined && isFolderAbove(name, path))
      addSetting(name, { text: path, offset: part.start + 1 }, found);
    if (path !== undefined) return;
    const isTask = field.names === "tasks" && TASK.test(text);
    const isName = NAME.test(text) || OPTION.test(text);
    if (!isName && !isTask && text !== "..") return;
    if (isNaming && NO_FILE.test(text)) handled.add(part);
    addSetting(name, { text, offset: part.start + 1 }, found);
  };
  visit(value);
  if (field.hasNamesAsKeys === true && (isSettings || EXPORTS.test(found.text)))
    addKeys(name, value, place);
  return isNaming && field.hasAliases !== true;
}

/** Returns the fields that an assignment means: `a.x.y = 1` is `{ y: 1 }` in `a.x`, and `{ x: { y: 1 } }` in `a`. */
export function assignedFields(target: unknown, value: Node): readonly Node[] {
  if (!isNode(target) || target.type !== "MemberExpression") return [];
  const { property: key, object, start } = target;
  const field = { type: "Property", start, end: value.end, key, value };
  const { end } = field;
  const inner = { type: "ObjectExpression", start, end, properties: [field] };
  return [field, ...assignedFields(object, inner)];
}

/** Returns the values that an expression may be, or of which it makes a list: `[x && "a", ...b].filter(Boolean)`. */
function partsOf(node: Node, { names }: FieldPlace): readonly unknown[] {
  switch (node.type) {
    case "ConditionalExpression":
      return [node["consequent"], node["alternate"]];
    case "LogicalExpression":
      return [node["left"], node["right"]];
    case "SpreadElement":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return [node["argument"] ?? node["expression"]];
    case "CallExpression":
      return isNode(node["callee"])
        ? [
            node["callee"]["object"],
            ...(nameOf(node["callee"]) === "concat"
              ? listOf(node, "arguments")
              : []),
          ]
        : [];
    case "Identifier": {
      const name = nameOf(node);
      return (names?.().constants ?? []).flatMap(([constant, value]) =>
        constant === name ? [value] : [],
      );
    }
    default:
      return [];
  }
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

function addKeys(
  field: string,
  value: Node,
  place: FieldPlace,
  seen = new Set<Node>(),
): void {
  if (seen.has(value)) return;
  seen.add(value);
  if (value.type === "ArrayExpression")
    for (const element of listOf(value, "elements"))
      if (listOf(element, "properties").length === 1)
        addKeys(field, element, place, seen);
  if (place.hasSettings && value.type !== "CallExpression")
    for (const part of partsOf(value, place))
      if (isNode(part)) addKeys(field, part, place, seen);
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
        place.found,
      );
  }
}
