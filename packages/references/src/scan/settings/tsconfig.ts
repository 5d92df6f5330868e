import {
  GLOBALS_SIGN,
  type FileFacts,
  type ReferenceKind,
} from "../../reference.js";
import {
  at,
  type JsonString,
  otherFields,
  propertiesOf,
  readJson,
  stringsOf,
  addStrings,
} from "../json.js";
import { endsOfPattern } from "../patterns.js";
import { Collector } from "../positions.js";
import { addUnknownSettings } from "../text/text.js";

/** Fields that tsc reads. Any other field contains the settings of a program that reads the same file. */
const KNOWN_FIELDS = new Set([
  "$schema",
  "extends",
  "include",
  "exclude",
  "files",
  "references",
  "compilerOptions",
  "compileOnSave",
  "typeAcquisition",
  "watchOptions",
  "buildOptions",
  "display",
  "_version",
]);

/**
 * Returns whether JSON is a tsconfig by its fields. One that others extend may have any name:
 * `packages/typescript-config/react.json`.
 */
export function isTsconfig(text: string): boolean {
  if (!/^\s*[{/][^]*"(?:compilerOptions|extends)"/.test(text)) return false;
  const root = readJson(text);
  const fields = propertiesOf(root);
  return (
    fields.every(({ key }) => KNOWN_FIELDS.has(key)) &&
    (at(root, "compilerOptions") !== undefined ||
      stringsOf(at(root, "extends")).some((each) => each.text.startsWith(".")))
  );
}

/** Returns the references of a tsconfig or jsconfig. `paths` are noted as `pattern=target`: they are aliases, not files. */
export function scanTsconfig(text: string): FileFacts {
  const found = new Collector(text);
  const root = readJson(text);
  const options = at(root, "compilerOptions");
  addStrings(at(root, "extends"), "extends", found);
  for (const reference of at(root, "references")?.children ?? [])
    for (const string of stringsOf(at(reference, "path")))
      addPath(string, "tsconfig-reference", found);
  // `rootDir` is ignored: it determines output paths and includes no files. So does a single one in `rootDirs`; if there are
  // several, an import of a file in one may mean a file in another.
  // Unlike `include`, it counts for each tsconfig that extends this one.
  const rootDirs = stringsOf(at(options, "rootDirs"));
  for (const string of rootDirs.length > 1 ? rootDirs : [])
    addPath(string, "glob", found);
  for (const string of stringsOf(at(root, "include")))
    addPath(string, "tsconfig-include", found);
  addTypes(options, found);
  for (const string of stringsOf(at(root, "files")))
    addPath(string, "tsconfig-include", found, true);
  addStrings(at(root, "exclude"), "exclusion", found);
  addStrings(at(options, "jsxImportSource"), "import", found);
  // Compiled code imports its helpers from there.
  const helpers = at(options, "importHelpers");
  if (helpers?.value === true) found.add("tslib", "import", helpers.offset);
  for (const { offset } of stringsOf(at(options, "outFile")))
    found.add(GLOBALS_SIGN, "program", offset);
  addPlugins(options, found);
  scanAliases(options, found);
  addUnknownSettings(otherFields(root, text, KNOWN_FIELDS), found);
  return { references: found.references() };
}

/** The path of a file: a name with a dot behind another character. */
const NAMED = /[^./][^/]*\.[^/]*$/;

function addPath(
  { text: written, offset }: JsonString,
  kind: ReferenceKind,
  found: Collector,
  isFile = false,
): void {
  // The template means the place where it is used, not where it is written: a path that goes up begins at each tsconfig
  // that extends this one.
  const isEach = written.startsWith("${configDir}");
  if (isEach && !written.startsWith("${configDir}/..")) return;
  const text = written.replace("${configDir}", ".");
  const path =
    /^\.{0,2}\//.test(text) || text.startsWith("..") ? text : `./${text}`;
  const wild = path.search(/[*?]/);
  // The compiler adds a pattern for the files in a folder only if the name of the folder contains no dot.
  const isNamed = isFile || (kind === "tsconfig-include" && NAMED.test(text));
  const folder = kind !== "tsconfig-reference" && wild < 0 && !isNamed;
  found.add(
    wild >= 0 ? path.slice(0, wild) : folder ? `${path}/` : path,
    isEach ? "glob" : kind,
    offset,
    wild >= 0 || folder,
    wild >= 0 ? endsOfPattern(path.slice(wild)) : "",
  );
}

/**
 * Adds types. A tsconfig that extends the file also loads what is in the folders of types. If these may be packages, `types`
 * chooses some.
 */
function addTypes(options: ReturnType<typeof at>, found: Collector): void {
  const types = stringsOf(at(options, "types"));
  for (const string of stringsOf(at(options, "typeRoots"))) {
    addPath(string, "type", found);
    if (/types|typings/.test(string.text)) continue;
    const folder = string.text.replace(/\/$/, "");
    for (const name of at(options, "types") ? types : [undefined])
      found.add(
        name ? `${folder}/${name.text}/` : `${folder}/`,
        "glob",
        string.offset,
        true,
        "",
        { fromFile: true },
      );
  }
  addStrings(at(options, "types"), "type", found);
}

/** Adds plug-ins. tsc ignores them, because they are for editors. Programs that replace it load transforms. */
function addPlugins(options: ReturnType<typeof at>, found: Collector): void {
  for (const plugin of at(options, "plugins")?.children ?? []) {
    const path = /^\.{1,2}\//;
    for (const { text: name, offset } of stringsOf(at(plugin, "name")))
      found.add(name, path.test(name) ? "config" : "editor-plugin", offset);
    for (const { key, value } of propertiesOf(plugin))
      for (const { text: option, offset } of stringsOf(value))
        if (key === "transform" || (key !== "name" && path.test(option)))
          found.add(option, "config", offset);
  }
}

/**
 * Notes aliases as `pattern=target`, with the target already relative to `baseUrl`; `baseUrl` itself is the alias of
 * everything.
 */
export function scanAliases(
  options: ReturnType<typeof at>,
  found: Collector,
): void {
  const [base] = stringsOf(at(options, "baseUrl"));
  for (const { key, value } of propertiesOf(at(options, "paths")))
    for (const { text, offset } of stringsOf(value))
      found.add(
        `${key}=${base && !text.startsWith("${configDir}") ? `${base.text}/` : ""}${text}`,
        "tsconfig-paths",
        offset,
      );
  if (base) found.add(`*=${base.text}/*`, "tsconfig-paths", base.offset);
}
