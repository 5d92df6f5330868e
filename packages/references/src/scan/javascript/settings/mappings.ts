import { FIELDS } from "@skein/known-tools";
import {
  literalText,
  isNode,
  listOf,
  nameOf,
  nameOfKey,
  type Node,
} from "../ast.js";
import { GOES_UP, pathIn } from "../../path-strings.js";
import type { Names } from "../values/names.js";
import type { Places } from "../values/places.js";
import type { Collector } from "../../positions.js";

/**
 * Notes the targets of a bundler's `alias` or Jest's `moduleNameMapper` that are outside the settings' folder, as aliases
 * like a tsconfig's. Any property of this form counts, since it isn't known which tool gets the object.
 */
export function addMapping(property: Node, scan: MappingScan): void {
  const { key, value } = property as Node & { key?: unknown; value?: unknown };
  const name = nameOfKey(property) ?? literalText(key);
  if (!isNode(key) || name === undefined) return;
  if (
    name === "resolve" &&
    isNode(value) &&
    value.type === "ObjectExpression"
  ) {
    for (const inner of listOf(value, "properties"))
      if (nameOf(inner["key"]) === "modules")
        addModuleFolders(inner["value"], scan);
    return;
  }
  if (FIELDS.get(name)?.holdsModules === true) {
    addModuleFolders(value, scan);
    return;
  }
  if (name === "moduleNameMapper") {
    for (const mapping of listOf(value as Node, "properties"))
      addMapped(mapping, scan);
    return;
  }
  if (name === "alias") addAliases(value, scan);
  for (const target of elementsOf(value))
    for (const path of pathsOf(target, scan))
      for (const alias of aliasesOf(name, path))
        scan.found.add(alias, "tsconfig-paths", key.start + 1);
}

/** A variable for aliases: `const alias = { "@acme/b": "../b/src" }`. */
const ALIASES = /^(?:\w*[aA]lias(?:es)?|(?:[A-Z\d]+_)*ALIAS(?:ES)?)$/;

/** Notes the aliases of a variable that settings use for nothing else than a bundler's `alias`. */
export function addAliasVariable(
  { id, init }: Node,
  names: Names,
  scan: MappingScan,
): void {
  const isAlias = (mention: Node): boolean => {
    const parent = names.parents.get(mention);
    return (
      (parent?.type === "VariableDeclarator" && parent["id"] === mention) ||
      (parent?.type === "Property" && nameOfKey(parent) === "alias") ||
      (parent?.type === "SpreadElement" &&
        isAlias(names.parents.get(parent) ?? parent))
    );
  };
  const name = nameOf(id);
  if (ALIASES.test(name) && names.mentions.get(name)?.every(isAlias) === true)
    addAliases(init, scan);
}

function addAliases(value: unknown, scan: MappingScan): void {
  for (const [alias, target] of namedIn(value)) addNamed(alias, target, scan);
}

/** The parts of a file's scan that mappings need. */
interface MappingScan {
  readonly found: Collector;
  readonly places: Places;
  readonly handled: Set<Node>;
}

function addModuleFolders(folders: unknown, scan: MappingScan): void {
  for (const target of elementsOf(folders)) {
    if (!isNode(target)) continue;
    const [text = literalText(target) ?? "", ...more] = pathsOf(target, scan);
    for (const path of [text, ...more])
      for (const alias of foldersOfModules(path))
        scan.found.add(alias, "tsconfig-paths", target.start + 1);
  }
}

function addMapped(mapping: Node, { found, handled }: MappingScan): void {
  // A pattern loads nothing itself.
  if (isNode(mapping["key"])) handled.add(mapping["key"]);
  const pattern = nameOfKey(mapping) ?? literalText(mapping["key"]) ?? "";
  for (const target of elementsOf(mapping["value"])) {
    const text = literalText(target);
    if (isNode(target) && text !== undefined)
      addMappedNames(pattern, { text, offset: target.start + 1 }, found);
  }
}

/** Notes a bundler's alias at the place of its target, so that only imports of the name use the target. */
function addNamed(
  name: Node,
  target: Node,
  { found, places, handled }: MappingScan,
): void {
  const alias = literalText(name) ?? nameInPattern(name) ?? "";
  if (!PACKAGE_NAME.test(alias)) return;
  const text = pathIn(literalText(target) ?? "");
  const made =
    text === undefined
      ? places.all(target)
      : [{ text, partial: false, words: target }];
  for (const { text: path, partial, words } of made) {
    if (!words || partial) continue;
    addAlias(alias, path.replace(/\/$/, ""), words.start + 1, found);
    handled.add(name);
  }
}

/** Returns the only name that a regular expression matches: `/^@acme\\/b$/`. */
function nameInPattern(node: Node): string | undefined {
  const { pattern = "" } = (node["regex"] ?? {}) as { pattern?: string };
  const [, name] = /^\^((?:[\w@-]|\\[./-])+)\$$/.exec(pattern) ?? [];
  return name?.replaceAll("\\", "");
}

function pathsOf(target: unknown, { places }: MappingScan): readonly string[] {
  const made = places.all(target).map(({ text }) => text);
  const path = made.length > 0 ? undefined : pathIn(literalText(target) ?? "");
  return path === undefined ? made : [path];
}

/** The name of a package, or of a module in it. */
const PACKAGE_NAME = /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/\w[\w./-]*)?$/;

/** Returns the names and targets of `{ "x": "./y" }` and of Vite's `[{ find: "x", replacement: "./y" }]`. */
function namedIn(value: unknown): readonly (readonly [Node, Node])[] {
  const pair = (name: unknown, target: unknown) =>
    isNode(name) && isNode(target) ? [[name, target] as const] : [];
  const fieldOf = (object: Node, name: string) =>
    listOf(object, "properties").find((field) => nameOfKey(field) === name)?.[
      "value"
    ];
  if (!isNode(value)) return [];
  return value.type === "ArrayExpression"
    ? listOf(value, "elements").flatMap((entry) =>
        pair(fieldOf(entry, "find"), fieldOf(entry, "replacement")),
      )
    : listOf(value, "properties").flatMap(({ key, value: target }) =>
        pair(key, target),
      );
}

function elementsOf(value: unknown): readonly unknown[] {
  return isNode(value) && value.type === "ArrayExpression"
    ? listOf(value, "elements")
    : [value];
}

/**
 * A name, and what may follow it: a pattern of Jest that matches this name only, or everything that begins with it. A name with a
 * scope is at the beginning of a specifier, with or without `^`.
 */
const NAMES =
  /^(?:\^|(?=@[\w-]+\/))(?<name>(?:[\w@~#/.-]|\\[/.-])+?)(?<below>\/?\((?:\.|\[\^\/\])[*+]\))?(?<ends>\$)?$/;

/** A field outside a comment that may set Jest's `<rootDir>` to another folder than that of the settings. */
const ROOT_DIR =
  /^(?!\s*(?:\/\/|\*)).*\brootDir\b(?!>|["']?\s*:\s*(?:__dirname|import\.meta\.dirname|["']\.\/?["'])\s*(?:[,}]|$))/m;

/**
 * Notes an entry of Jest's `moduleNameMapper` as an alias at the place of its target, if its pattern is a name and its target
 * begins at `<rootDir>`. Only imports of that name use the target then.
 */
export function addMappedNames(
  pattern: string,
  { text, offset }: { readonly text: string; readonly offset: number },
  found: Collector,
): void {
  const path = pathIn(text)?.replace(/\/$/, "");
  if (path === undefined || ROOT_DIR.test(found.text)) return;
  if (GOES_UP.test(path) && path.includes("$1")) {
    for (const alias of aliasesOf(pattern, path))
      found.add(alias, "tsconfig-paths", offset);
    return;
  }
  const { name, below, ends } = NAMES.exec(pattern)?.groups ?? {};
  if (name === undefined || path.includes("node_modules")) return;
  const isWhole = below === undefined;
  if (!(isWhole ? /^[^$*]*$/ : /^[^$*]*(?:\$1[^$*]*)?$/).test(path)) return;
  const plain = name.replaceAll("\\", "");
  if (isWhole && ends !== undefined) addAlias(plain, path, offset, found);
  else
    found.add(
      `${plain}${below?.startsWith("/") ? "/" : ""}*=${path.replace("$1", "*")}`,
      "tsconfig-paths",
      offset,
    );
}

/** Notes that a name means a folder, and what is below the name means what is below the folder. */
function addAlias(
  name: string,
  folder: string,
  offset: number,
  found: Collector,
): void {
  for (const rest of ["", "/*"])
    found.add(`${name}${rest}=${folder}${rest}`, "tsconfig-paths", offset);
}

/**
 * Returns the aliases for a folder whose content is found by a name without a path: `moduleDirectories: ["packages"]`,
 * webpack's `resolve.modules`. A folder without a dot may be beside any file; here it is below the settings' folder.
 */
export function foldersOfModules(path: string): readonly string[] {
  return path === "" || /^\/|(^|\/)node_modules$|[*$]/.test(path)
    ? []
    : [`*=${path.replace(/\/$/, "")}/*`];
}

/**
 * Returns the aliases of one mapping, in the form of a tsconfig's aliases (`pattern=target`).
 * @param name a name, or a regular expression with one group in Jest's form
 * @param path from the settings' folder, with `$1` for the group
 */
export function aliasesOf(name: string, path: string): readonly string[] {
  if (!GOES_UP.test(path)) return [];
  if (!path.includes("$1"))
    return /^[\w@~#][^^$()*]*$/.test(name)
      ? [`${name}=${path}`, `${name}/*=${path}/*`]
      : [];
  const pattern = name
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/\((\.|\[\^\/\])[*+]\??\)/, "*")
    .replaceAll(/\\(.)/g, "$1");
  return /^[^*^$()|[\]+?]*\*[^*^$()|[\]+?]*$/.test(pattern)
    ? [`${pattern}=${path.replace("$1", "*")}`]
    : [];
}
