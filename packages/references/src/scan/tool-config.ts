import type { Node } from "jsonc-parser";
import type { FileFacts } from "../reference.js";
import { at, propertiesOf, readJson, stringsOf } from "./json.js";
import { aliasesOf } from "./mappings.js";
import { pathIn, UPWARD } from "./path-strings.js";
import { Collector } from "./positions.js";

/** Fields of Jest, Babel, ESLint, Prettier and Mocha that name a package or a file. */
const NAMING = [
  "presets",
  "plugins",
  "preset",
  "setupFiles",
  "setupFilesAfterEnv",
  "globalSetup",
  "globalTeardown",
  "testEnvironment",
  "runner",
  "testRunner",
  "reporters",
  "resolver",
  "snapshotSerializers",
  "snapshotResolver",
  "transform",
  "moduleNameMapper",
  "projects",
  "roots",
  "rootDir",
  "modulePaths",
  "moduleDirectories",
  "watchPlugins",
  "dependencyExtractor",
  "haste",
  "testSequencer",
  "filter",
  "parser",
  "require",
  "file",
  "spec",
  "loader",
  "import",
];

/** What the settings of Jest, Babel, ESLint or Prettier in JSON refer to. */
export function scanToolConfig(text: string): FileFacts {
  const found = new Collector(text);
  const root = readJson(text);
  addToolConfig(root, found);
  // A plug-in's own settings name files by paths, under any field; so does a command.
  for (const { key, value } of propertiesOf(root))
    for (const { text: string, offset } of key === "extends"
      ? []
      : stringsOf(value))
      for (const { 0: path, index } of string.matchAll(UPWARD))
        found.add(path, "config", offset + index);
  return { references: found.references() };
}

/** The same for settings inside another file; a bare string is a shared configuration (`"prettier": "@m/prettier"`). */
export function addToolConfig(node: Node | undefined, found: Collector): void {
  if (!node) return;
  if (node.type === "string")
    found.add(String(node.value), "extends", node.offset + 1);
  for (const { text, offset } of stringsOf(at(node, "extends")))
    for (const name of namesOf("extends", text))
      found.add(name, "extends", offset);
  for (const field of NAMING)
    for (const string of stringsOf(at(node, field))) {
      // `<rootDir>` is the folder of the file unless `rootDir` says otherwise; then its own string is noted too.
      const path = string.text.replace(/^<rootDir>\/?/, "./");
      const wild = path.search(/[*?$]/);
      const folder = field === "roots" || field === "projects";
      const kind = field === "preset" ? "extends" : "config";
      for (const name of namesOf(field, path))
        found.add(
          wild >= 0 ? name.slice(0, wild) : folder ? `${name}/` : name,
          path[wild] === "*" ? "glob" : kind,
          string.offset,
          wild >= 0 || folder,
        );
    }
  for (const { key, keyNode, value } of propertiesOf(
    at(node, "moduleNameMapper"),
  ))
    for (const { text } of stringsOf(value))
      for (const alias of aliasesOf(key, pathIn(text) ?? text))
        found.add(alias, "tsconfig-paths", keyNode.offset + 1);
  for (const field of ["overrides", "env"])
    for (const inner of at(node, field)?.children ?? [])
      addToolConfig(
        inner.type === "property" ? inner.children?.[1] : inner,
        found,
      );
}

/** What ESLint, Babel, Jest and commitlint put before a short name, by the field that holds it. */
const LONG: Readonly<Record<string, readonly string[]>> = {
  extends: ["eslint-config", "commitlint-config"],
  plugins: ["eslint-plugin", "babel-plugin"],
  presets: ["babel-preset"],
  testEnvironment: ["jest-environment"],
  runner: ["jest-runner"],
  watchPlugins: ["jest-watch"],
};

/**
 * What a short name can mean: besides itself, in `extends` `x` means `eslint-config-x`, `@m` `@m/eslint-config`, and
 * `plugin:x/y` is in `eslint-plugin-x`; so it is in other fields.
 */
export function namesOf(field: string, text: string): readonly string[] {
  const isPlugin = text.startsWith("plugin:");
  const name = isPlugin
    ? text.slice("plugin:".length).replace(/\/[^/]*$/, "")
    : text;
  if (/^[./]|:/.test(name)) return [name];
  const [scope, rest] = name.startsWith("@")
    ? [`${name.split("/", 1)[0] ?? ""}/`, name.split("/").slice(1).join("/")]
    : ["", name];
  const long = isPlugin ? ["eslint-plugin"] : (LONG[field] ?? []);
  return [
    name,
    ...long.map((word) => `${scope}${word}${rest === "" ? "" : `-${rest}`}`),
  ];
}
