import {
  FIELDS,
  fieldsWhere,
  namesIn,
  namesPackages,
} from "@skein/known-tools";
import type { Node } from "jsonc-parser";
import { addEslintNames } from "./eslint-names.js";
import { addNeededTasks, addSetting, addTaskInputs } from "../add-setting.js";
import {
  at,
  type JsonString,
  propertiesOf,
  readJson,
  stringsOf,
} from "../json.js";
import {
  addMappedNames,
  aliasesOf,
  foldersOfModules,
} from "../javascript/settings/mappings.js";
import {
  addPath,
  addSelectedPath,
  GOES_UP,
  pathIn,
  upwardPathsIn,
} from "../path-strings.js";
import type { Collector } from "../positions.js";
import {
  ignoresAll,
  ignoresStrings,
  isCovered,
  isSelecting,
} from "../javascript/settings/selecting.js";
import { scanAliases } from "./tsconfig.js";
import { eachYamlName, type SeeName } from "./yaml-names.js";
import { blank } from "../wild.js";

const PATHS = fieldsWhere(
  ({ names }) => names === "paths" || names === "folders",
);
const ALIASES = fieldsWhere(({ hasAliases }) => hasAliases === true);
const MODULE_FOLDERS = fieldsWhere(({ holdsModules }) => holdsModules === true);

/** Notes the references of settings in YAML. */
export function addYamlConfig(text: string, found: Collector): void {
  eachYamlName(text, (field, string) => {
    addSetting(field, string, found);
  });
  addUpwardPaths({ text, offset: 0 }, found);
}

/** Notes paths that go up; `<rootDir>` is usually the file's folder. */
function addUpwardPaths({ text, offset }: JsonString, found: Collector): void {
  if (!text.includes("../")) return;
  const plain = text.replaceAll("<rootDir>/", blank);
  for (const { path, index } of upwardPathsIn(plain))
    addPath({ text: path, partial: false }, offset + index, found, "config");
}

/** A path below the settings' folder. */
const PATTERN = /^[\w@*][^\s:]*\//;

/** Notes the patterns of JSON settings that only select files, before a search of the text treats them as paths. */
export function addSelections(text: string, found: Collector): void {
  const visit = (node: Node, field: string): void => {
    if (node.type === "array")
      for (const child of node.children ?? []) visit(child, field);
    for (const { key, value } of propertiesOf(node)) visit(value, key);
    const pattern = String(node.value);
    if (isSelecting(field) && node.type === "string" && PATTERN.test(pattern))
      addSelectedPath(`./${pattern}`, node.offset + 1, found, isCovered(field));
  };
  const root = readSettings(text);
  if (root) visit(root, "");
}

/** Notes the names of packages in settings whose paths a search of the text finds. */
export function addSettings(text: string, found: Collector): void {
  const see: SeeName = (field, string) => {
    if (!string.text.startsWith("../")) addSetting(field, string, found);
  };
  const root = readSettings(text);
  addProject(root, text, found);
  for (const list of ["tasks", "pipeline"]) {
    const needs = new Map(
      propertiesOf(at(root, list)).map(({ key, value }) => [
        key,
        propertiesOf(value).flatMap((field) =>
          field.key === "outputs" ? [] : stringsOf(field.value),
        ),
      ]),
    );
    for (const [task, own] of needs)
      addNeededTasks(task, [...own, ...rootTasksBehind(own, needs)], found);
  }
  addRulesOfTextlint(root, found);
  // An executor of Nx that runs a target of every package.
  for (const { value } of propertiesOf(at(root, "targetDefaults")))
    for (const { text: name, offset } of stringsOf(at(value, "executor")))
      for (const each of namesIn("executor", name))
        found.add(each, "extends", offset);
  if (root) eachName(root, see);
  // moon lists projects there; in JSON, the field contains tasks.
  else
    eachYamlName(text, (field, string) => {
      const isProject = field === "dependsOn" && !string.text.includes("#");
      see(isProject ? "implicitDependencies" : field, string);
      // A project without an id has the name of its folder.
      const [, folder] =
        isProject || field === "deps" ? (MOON.exec(string.text) ?? []) : [];
      if (folder !== undefined)
        found.add(`../${folder}/`, "glob", string.offset, true);
    });
}

/** Returns the tasks of the root that tasks need which others need. They need not be scripts of any package. */
function rootTasksBehind(
  needed: readonly JsonString[],
  needs: ReadonlyMap<string, readonly JsonString[]>,
): readonly JsonString[] {
  const behind = new Set(needed);
  // Iteration over a set includes elements that are added during it.
  for (const { text } of behind)
    for (const each of needs.get(text.replace(/^\^/, "")) ?? [])
      behind.add(each);
  return [...behind].filter(
    (each) => each.text.startsWith("//#") && !needed.includes(each),
  );
}

/** Notes rules and filters of textlint by their short names. Names of other programs' rules aren't packages with this prefix. */
function addRulesOfTextlint(root: Node | undefined, found: Collector): void {
  for (const [field, prefix] of [
    ["rules", "textlint-rule-"],
    ["filters", "textlint-filter-rule-"],
  ] as const)
    for (const { key, keyNode } of propertiesOf(at(root, field)))
      found.add(
        key.replace(/^(?:@[^/]+\/)?/, (scope) => scope + prefix),
        "config",
        keyNode.offset + 1,
      );
}

/** A project of moon, and its task. */
const MOON = /^([\w-]+)(?::|$)/;

/** Notes the name that a monorepo runner has for a package. */
function addProject(
  root: Node | undefined,
  text: string,
  found: Collector,
): void {
  const isNx = ["targets", "sourceRoot", "projectType"].some(
    (field) => at(root, field) !== undefined,
  );
  // Turborepo's settings of a package extend those of the root.
  if (isNx || stringsOf(at(root, "extends"))[0]?.text === "//")
    addTaskInputs(root, found);
  const name = isNx ? at(root, "name") : undefined;
  if (name?.type === "string")
    found.add(`nx ${String(name.value)}`, "script-name", name.offset + 1);
  const [, id] = root ? [] : (/^id:[ \t]*["']?([\w./-]+)/m.exec(text) ?? []);
  if (id !== undefined) found.add(`nx ${id}`, "script-name", 0);
}

/** Returns whether a field maps names to the paths that they resolve to. */
export function hasAliases(field: string): boolean {
  return FIELDS.get(field)?.hasAliases === true;
}

/** The beginning of JSON, or a text that is one string. */
const IS_JSON = /^\s*(?:[[{]|\/[/*]|"[^"\n]*"\s*$)/;

/** @returns undefined for text that isn't JSON */
export function readSettings(text: string): Node | undefined {
  return IS_JSON.test(text) ? readJson(text) : undefined;
}

/**
 * Notes the names of packages and the paths in the fields of JSON settings that contain some; a string alone is a shared
 * configuration (`"prettier": "@m/prettier"`).
 * @param isOfEslint whether they are ESLint's older settings
 */
export function addToolConfig(
  node: Node,
  found: Collector,
  isOfEslint = false,
): void {
  if (node.type === "string")
    found.add(String(node.value), "extends", node.offset + 1);
  const seen = new Set<number>();
  const named = isOfEslint ? addEslintNames(node, found) : new Set<number>();
  const see: SeeName = (field, string) => {
    if (!named.has(string.offset)) addSetting(field, string, found);
    if (/^\.|^<rootDir>/.test(string.text)) seen.add(string.offset);
  };
  eachName(node, see);
  for (const field of PATHS)
    for (const string of stringsOf(at(node, field))) see(field, string);
  // A plug-in's own settings name files by paths, in any field; so does a command.
  for (const { key, value } of propertiesOf(node))
    for (const string of key === "extends" || ignoresAll(key)
      ? []
      : usedStringsOf(value))
      if (!seen.has(string.offset)) addUpwardPaths(string, found);
  for (const { key, keyNode, value } of ALIASES.flatMap((field) =>
    propertiesOf(at(node, field)),
  ))
    for (const string of stringsOf(value)) {
      addMappedNames(key, string, found);
      for (const alias of aliasesOf(key, pathIn(string.text) ?? string.text))
        found.add(alias, "tsconfig-paths", keyNode.offset + 1);
    }
  // SWC has the fields of a tsconfig.
  scanAliases(at(node, "jsc"), found);
  for (const field of MODULE_FOLDERS)
    for (const { text, offset } of stringsOf(at(node, field)))
      for (const alias of foldersOfModules(pathIn(text) ?? text))
        found.add(alias, "tsconfig-paths", offset);
}

/** Returns the strings of a value, except those that nothing loads. */
function usedStringsOf(node: Node): readonly JsonString[] {
  if (node.type === "string") return stringsOf(node);
  return node.type === "array"
    ? (node.children ?? []).flatMap(usedStringsOf)
    : propertiesOf(node).flatMap(({ key, value }) =>
        ignoresStrings(key) ? [] : usedStringsOf(value),
      );
}

/** Returns the values in settings that refer to nothing, such as lists of what a program ignores. */
export function ignoredIn(node: Node): readonly Node[] {
  return node.type === "array"
    ? (node.children ?? []).flatMap(ignoredIn)
    : propertiesOf(node).flatMap(({ key, value }) =>
        ignoresAll(key) ? [value] : ignoredIn(value),
      );
}

/**
 * Notes the packages of one word that the fields of a manifest name, which are settings of programs that aren't known to have
 * such a field, and the folders above that these fields name.
 */
export function addOtherFields(
  values: readonly Node[],
  found: Collector,
): void {
  for (const value of values)
    eachName(value, (field, string) => {
      if (GOES_UP.test(string.text)) addSetting(field, string, found);
      else if (/^\w+$/.test(string.text) && !found.has(string.offset))
        found.add(string.text, "name-string", string.offset);
    });
}

/** Finds the names in all fields that contain some, at any depth: `overrides`, `env`, one tool's settings in another's. */
function eachName(node: Node, see: SeeName): void {
  if (node.type === "array")
    for (const child of node.children ?? []) eachName(child, see);
  for (const { key, value } of propertiesOf(node)) {
    if (ignoresAll(key)) continue;
    if (FIELDS.get(key)?.names === "folders" && value.type !== "object")
      for (const string of stringsOf(value))
        if (GOES_UP.test(string.text)) see(key, string);
    if (isNaming(key, value.type === "object"))
      for (const string of [
        ...(hasNames(key, value) ? stringsOf(value) : []),
        ...keysOf(key, value),
      ])
        see(key, string);
    // Nx: `{ "projects": ["x"], "target": "build" }`.
    if (key === "dependsOn")
      for (const task of value.children ?? [])
        for (const string of stringsOf(at(task, "projects")))
          see("implicitDependencies", string);
    eachName(value, see);
  }
}

/** Returns whether a field contains names of packages. */
function isNaming(name: string, isObject: boolean): boolean {
  const field = FIELDS.get(name);
  return (
    field !== undefined &&
    namesPackages(field) &&
    (!isObject || field.isMap === true || field.hasNamesAsKeys === true)
  );
}

/** Returns whether the strings in a field are names; the values of an object may be options. */
function hasNames(name: string, value: Node): boolean {
  return value.type !== "object" || FIELDS.get(name)?.isMap === true;
}

/** Returns plug-ins that are the keys of their options. */
function keysOf(field: string, value: Node): readonly JsonString[] {
  if (FIELDS.get(field)?.hasNamesAsKeys !== true) return [];
  const objects =
    value.type === "array"
      ? (value.children ?? []).filter((child) => child.children?.length === 1)
      : [value];
  return objects.flatMap((object) =>
    propertiesOf(object)
      .filter(({ value: options }) => options.type !== "string")
      .map(({ key, keyNode }) => ({ text: key, offset: keyNode.offset + 1 })),
  );
}
