import type { Node } from "jsonc-parser";
import type { FileFacts } from "../reference.js";
import { at, readJson, stringsOf } from "./json.js";
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
  addToolConfig(readJson(text), found);
  return { references: found.references() };
}

/** The same for settings inside another file; a bare string is a shared configuration (`"prettier": "@m/prettier"`). */
export function addToolConfig(node: Node | undefined, found: Collector): void {
  if (node?.type === "string")
    found.add(String(node.value), "extends", node.offset + 1);
  for (const { text, offset } of stringsOf(at(node, "extends")))
    found.add(eslintName(text), "extends", offset);
  for (const field of NAMING)
    for (const string of stringsOf(at(node, field))) {
      // `<rootDir>` is the folder of the file unless `rootDir` says otherwise; then its own string is noted too.
      const path = string.text.replace(/^<rootDir>\/?/, "./");
      const wild = path.search(/[*?$]/);
      const folder = field === "roots" || field === "projects";
      found.add(
        wild >= 0 ? path.slice(0, wild) : folder ? `${path}/` : path,
        field === "preset" ? "extends" : "config",
        string.offset,
        wild >= 0 || folder,
      );
    }
  for (const field of ["overrides", "env"])
    for (const inner of at(node, field)?.children ?? [])
      addToolConfig(
        inner.type === "property" ? inner.children?.[1] : inner,
        found,
      );
}

/** ESLint's short names: `plugin:@m/x/recommended`, `@m` and `@m/base` for `@m/eslint-config…`. */
function eslintName(name: string): string {
  return name.startsWith("plugin:") ? name.slice("plugin:".length) : name;
}
