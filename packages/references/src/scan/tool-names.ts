import type { ReferenceKind } from "../reference.js";
import type { JsonString } from "./json.js";
import type { Collector } from "./positions.js";
import { wildAt } from "./wild.js";

/** Fields of tools' settings that take names of packages, or paths. */
export const NAMING = [
  "extends",
  "presets",
  "plugins",
  "plugin",
  "preset",
  "addons",
  "customSyntax",
  "setupFiles",
  "setupFilesAfterEnv",
  "globalSetup",
  "globalTeardown",
  "testEnvironment",
  "runner",
  "testRunner",
  "reporter",
  "reporters",
  "resolver",
  "snapshotSerializers",
  "snapshotResolver",
  "transform",
  "watchPlugins",
  "dependencyExtractor",
  "testSequencer",
  "filter",
  "parser",
  "importSource",
  "require",
  "loader",
  "import",
  // Nx's and Turborepo's.
  "implicitDependencies",
  "dependsOn",
  "executor",
] as const;
const FIELDS: ReadonlySet<string> = new Set(NAMING);

/** Fields whose names may be the values or the keys of an object; elsewhere an object has fields of its own. */
const MAPS: ReadonlySet<string> = new Set(["plugins", "transform"]);

/** Whether a field takes names of packages. */
export function isNaming(field: string, isObject: boolean): boolean {
  return isObject ? MAPS.has(field) : FIELDS.has(field);
}

/** Fields of which a string says nothing of itself, but a package whose task runs first: nobody has to declare it. */
const TASKS: ReadonlySet<string> = new Set([
  "implicitDependencies",
  "dependsOn",
  "executor",
]);

function kindOf(field: string): ReferenceKind {
  if (TASKS.has(field)) return "name-string";
  return field === "preset" || field === "extends" ? "extends" : "config";
}

/** Notes what a string in a field of a tool's settings means. */
export function addSetting(
  field: string,
  { text, offset }: JsonString,
  found: Collector,
): void {
  // `<rootDir>` is the folder of the file unless `rootDir` says otherwise; then its own string is noted too.
  const path = text.replace(/^<rootDir>\/?/, "./");
  const wild = wildAt(path);
  const folder = field === "roots" || field === "projects";
  for (const name of namesOf(field, path))
    found.add(
      wild >= 0 ? name.slice(0, wild) : folder ? `${name}/` : name,
      /[^?$]/.test(path[wild] ?? "?") ? "glob" : kindOf(field),
      offset,
      wild >= 0 || folder,
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
 * `plugin:x/y` is in `eslint-plugin-x`; so it is in other fields. A task is a package's where it says so (`x#build`, `x:build`).
 */
export function namesOf(field: string, text: string): readonly string[] {
  if (field === "dependsOn") return /^[@\w][\w./-]*(?=#)/.exec(text) ?? [];
  if (field === "executor") return /^[@\w][\w./-]*(?=:)/.exec(text) ?? [];
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
