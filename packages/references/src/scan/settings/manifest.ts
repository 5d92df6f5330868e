import { MANIFEST_FIELDS } from "@skein/known-tools";
import { MAPS_SIGN, type FileFacts } from "../../reference.js";
import {
  at,
  fieldsOf,
  type JsonNode,
  type JsonString,
  otherFields,
  propertiesOf,
  readJson,
  stringsOf,
} from "../json.js";
import { addDependencies, addLinks } from "./dependencies.js";
import { Collector } from "../positions.js";
import { scanScript, type ScanOwnScript } from "../commands/shell-words.js";
import { addTaskInputs } from "../add-setting.js";
import { addProgramsInSettings } from "../commands/started-programs.js";
import { addUnknownSettings } from "../text/text.js";
import { addOtherFields, ignoredIn } from "./tool-config.js";
import { addToolField } from "./tool-settings.js";
import { blank } from "../wild.js";

const ENTRY_FIELDS =
  `main module types typings browser bin exports imports svelte style sass react-native unpkg
  source directories alias`.split(/\s+/);

/** Fields that, as an object, replace modules by others: with them, any file of the package may be loaded. */
const REPLACING_FIELDS = ["browser", "react-native", "alias"];
/** Fields that can map a path behind the package's name to another file. */
const MAPPING_FIELDS = [...REPLACING_FIELDS, "exports", "typesVersions"];

/** The fields that declare dependencies. */
export const DEPENDENCY_FIELDS = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];
const NAMING_FIELDS = [...DEPENDENCY_FIELDS, "peerDependenciesMeta"];

/**
 * Fields that other functions read completely, and those that describe the package to people, registries and package
 * managers.
 */
const KNOWN_FIELDS = new Set([
  ...ENTRY_FIELDS,
  ...MANIFEST_FIELDS.flatMap(({ name, hasBarePaths }) =>
    hasBarePaths ? [] : [name],
  ),
  ...NAMING_FIELDS,
  "scripts",
  "resolutions",
  "overrides",
  "pnpm",
  "browserslist",
  "workspaces",
  "files",
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "author",
  "contributors",
  "maintainers",
  "homepage",
  "repository",
  "bugs",
  "funding",
  "publishConfig",
  "packageManager",
  "rationale",
  // Describes a plug-in, and lists the packages that belong to it.
  "backstage",
  "bundledDependencies",
  "bundleDependencies",
  "dependenciesMeta",
  "engines",
  "devEngines",
  "volta",
  "type",
]);

/** Returns the references of a package.json: dependencies, entry points, scripts, and settings of tools. */
export function scanManifest(
  text: string,
  scanOwnScript: ScanOwnScript,
): FileFacts {
  const found = new Collector(text);
  const root = readJson(text);
  const fields = fieldsOf(root);
  for (const field of ENTRY_FIELDS)
    for (const string of stringsOf(fields.get(field)))
      addEntry(string, field, found);
  for (const { key, value } of propertiesOf(fields.get("imports")))
    for (const { text, offset } of key.startsWith("#") ? stringsOf(value) : [])
      if (text.startsWith("./"))
        found.add(`${key}=${text}`, "tsconfig-paths", offset);
  for (const field of REPLACING_FIELDS)
    if (fields.get(field)?.type === "object")
      found.add("./", "own-guess", fields.get(field)?.offset ?? 0, true);
  const maps = MAPPING_FIELDS.flatMap((field) => fields.get(field) ?? []);
  for (const { type, offset } of maps)
    if (type === "object") found.add(MAPS_SIGN, "program", offset);
  // The folders of commands and hooks, which oclif loads.
  for (const string of stringsOf(fields.get("oclif")))
    if (string.text.startsWith("./")) addEntry(string, "oclif", found);
  // `//` is a comment.
  const scripts = propertiesOf(fields.get("scripts")).filter(
    ({ key }) => !key.startsWith("//"),
  );
  // Packages call a root's scripts by any name, and so do its own scripts.
  const isRoot = fields.has("workspaces");
  const own = new Set(isRoot ? scripts.map(({ key }) => key) : []);
  for (const { key, value } of scripts)
    for (const string of stringsOf(value)) {
      if (isRoot) scanScript(key, string, found, own);
      else found.addPart(scanOwnScript(key, string.text), string.offset);
      found.addScript(key, string.text, string.offset);
    }
  addWireit(fields.get("wireit"), isRoot ? own : undefined, found);
  addBins(fields, found);
  addTaskInputs(fields.get("nx"), found);
  for (const { text: nx, offset } of stringsOf(at(fields.get("nx"), "name")))
    found.add(`nx ${nx}`, "script-name", offset);
  // Nx and pnpm find a package by its name without the scope, too.
  for (const { text, offset } of stringsOf(fields.get("name")))
    if (/^@[^/]+\/./.test(text))
      found.add(`nx ${text.replace(/^.*\//, "")}`, "script-name", offset);
  const optional = optionalPeers(fields.get("peerDependenciesMeta"));
  for (const field of NAMING_FIELDS)
    addDependencies(
      fields.get(field),
      found,
      field.startsWith("peer") ? optional : undefined,
    );
  for (const links of [
    fields.get("resolutions"),
    fields.get("overrides"),
    at(fields.get("pnpm"), "overrides"),
  ])
    addLinks(links, found);
  for (const { name } of MANIFEST_FIELDS)
    addToolField(fields.get(name), name, isRoot, found);
  for (const { text, offset } of stringsOf(fields.get("browserslist"))) {
    const [start, name] = /^extends\s+(\S+)/.exec(text) ?? [];
    if (start !== undefined && name !== undefined)
      found.add(name, "extends", offset + start.length - name.length);
  }
  const unknown = propertiesOf(root).flatMap(({ key, value }) =>
    KNOWN_FIELDS.has(key) ? [] : [value],
  );
  let others = otherFields(root, text, KNOWN_FIELDS);
  for (const { offset, length } of unknown.flatMap(ignoredIn)) {
    const end = offset + length;
    others =
      others.slice(0, offset) +
      blank(others.slice(offset, end)) +
      others.slice(end);
  }
  addUnknownSettings(others, found);
  addProgramsInSettings(others, found);
  addOtherFields(unknown, found);
  for (const value of unknown)
    for (const string of stringsOf(value)) addOwnGuess(string, found);
  return { references: found.references() };
}

/**
 * Returns the peers that may be missing. They aren't dependencies: a package that uses one names it in a file, and a package
 * that provides it declares it.
 */
function optionalPeers(meta: JsonNode | undefined): ReadonlySet<string> {
  return new Set(
    propertiesOf(meta).flatMap(({ key, value }) =>
      at(value, "optional")?.value === true ? [key] : [],
    ),
  );
}

/**
 * Notes the scripts of the root on which wireit's scripts depend (`../..:x`), and the commands of the root's own ones, which other
 * packages call.
 * @param own names of the scripts, in a root
 */
function addWireit(
  scripts: JsonNode | undefined,
  own: ReadonlySet<string> | undefined,
  found: Collector,
): void {
  for (const { key, value } of propertiesOf(scripts)) {
    for (const { text, offset } of stringsOf(at(value, "dependencies"))) {
      const [, above, script] = /^(\.\.(?:\/\.\.)*)\/?:(.+)$/.exec(text) ?? [];
      if (above !== undefined && script !== undefined)
        found.add(`-C ${above} ${script}`, "script-call", offset);
    }
    for (const command of own ? stringsOf(at(value, "command")) : [])
      scanScript(key, command, found, own);
  }
}

/** A word that may be a path in the package: not an address or a version, without spaces. */
const OWN_PATH = /^(?:\.\/)?(\w[\w.@-]*(?:\/[\w.@*{},-]+)*)\/?$/;

/** Notes a file or folder of the package that some program's settings may name; the program then loads its sources. */
function addOwnGuess({ text, offset }: JsonString, found: Collector): void {
  const path = OWN_PATH.exec(text)?.[1];
  if (path === undefined) return;
  const wild = path.search(/[*{]/);
  const folder = wild < 0 ? `${path}/` : path.slice(0, wild);
  if (wild < 0) found.add(`./${path}`, "own-guess", offset);
  found.add(`./${folder}`, "own-guess", offset, true);
}

/** Notes the names of the programs that Yarn links into the root's `.bin`: `run -T x` and `npx x` may mean them. */
function addBins(
  fields: ReadonlyMap<string, JsonNode>,
  found: Collector,
): void {
  const bin = fields.get("bin");
  for (const { key, keyNode } of propertiesOf(bin))
    found.add(`bin ${key}`, "script-name", keyNode.offset + 1);
  const [whole] = propertiesOf(bin).length > 0 ? [] : stringsOf(bin);
  const name = stringsOf(fields.get("name"))[0]?.text.replace(/^@[^/]*\//, "");
  if (whole && name !== undefined)
    found.add(`bin ${name}`, "script-name", whole.offset);
}

/** Notes an entry, which is a path in the package with or without a dot; only `imports` may name another package. */
function addEntry(
  { text, offset }: JsonString,
  field: string,
  found: Collector,
): void {
  const isPath = text.startsWith(".") || field !== "imports";
  const path = isPath && !/^\.{1,2}(?:\/|$)/.test(text) ? `./${text}` : text;
  const wild = path.indexOf("*");
  // A bundler replaces modules by others: `{ "fs": "x/fs" }`.
  if (REPLACING_FIELDS.includes(field) && !text.startsWith("."))
    found.add(text, "name-string", offset);
  if (field === "directories" && text.startsWith("../"))
    found.add(text, "path-string", offset);
  found.add(wild < 0 ? path : path.slice(0, wild), "entry", offset, wild >= 0);
}
