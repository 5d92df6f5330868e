import { OTHER_SETTINGS, TOOL_FIELDS, type Field } from "./field-table.js";
import { settingsOf, type SettingsName } from "./tool.js";

/** The meaning of a field in the settings of all programs. */
export interface KnownField extends Omit<Field, "prefix"> {
  readonly prefixes: readonly string[];
  readonly forms: readonly string[];
}

/** All fields of the table by name. A field of several groups is merged into one. */
export const FIELDS: ReadonlyMap<string, KnownField> = merged();

function merged(): ReadonlyMap<string, KnownField> {
  const fields = new Map<string, KnownField & Lists>();
  for (const { fields: own } of Object.values(TOOL_FIELDS))
    for (const [name, each] of Object.entries(own)) {
      const { prefix, forms, options, programOptions, ...field } = each;
      let known = fields.get(name);
      if (!known) {
        known = { prefixes: [], forms: [], options: [], programOptions: [] };
        fields.set(name, known);
      }
      Object.assign(known, field);
      if (prefix !== undefined) known.prefixes.push(prefix);
      known.forms.push(...(forms ?? []));
      known.options.push(...(options ?? []));
      known.programOptions.push(...(programOptions ?? []));
    }
  return fields;
}

/** The lists of a field, which become longer with each group that has the field. */
interface Lists {
  readonly prefixes: string[];
  readonly forms: string[];
  readonly options: string[];
  readonly programOptions: string[];
}

/** Returns the names of the fields for which a condition holds, in the table's order. */
export function fieldsWhere(
  isMeant: (field: KnownField) => boolean,
): readonly string[] {
  return [...FIELDS].flatMap(([name, field]) => (isMeant(field) ? [name] : []));
}

/** Returns whether the strings in a field may be names of packages. */
export function namesPackages({ names }: KnownField): boolean {
  return names === "packages" || names === "shared" || names === "tasks";
}

/** The field with the same meaning as an option, by option. */
export const FIELD_OF_OPTION: ReadonlyMap<string, string> = new Map(
  [...FIELDS].flatMap(([name, { options = [] }]) =>
    options.map((option) => [option, name] as const),
  ),
);

/** The same for options of one program, by the program and the option: `mocha -R`. */
export const FIELD_OF_PROGRAM_OPTION: ReadonlyMap<string, string> = new Map(
  [...FIELDS].flatMap(([name, { programOptions = [] }]) =>
    programOptions.map((option) => [option, name] as const),
  ),
);

/** Options that make Node, bundlers and test runners load a package, and that no field corresponds to. */
export const LOADING_OPTIONS: readonly string[] = [
  "--require-module",
  "--experimental-loader",
  "--test-reporter",
  "--preload",
  "--types",
  "--jsxImportSource",
  "--compiler",
  "--transpiler",
  "--parser-preset",
  "--config-register",
  "--syntax",
  "--stringifier",
  "--config",
  "-c",
];

/** The fields of a package.json that contain settings of a group in the table. */
export const MANIFEST_FIELDS: readonly {
  readonly name: string;
  readonly hasBarePaths: boolean;
}[] = Object.entries(TOOL_FIELDS).flatMap(([group, { hasBarePaths }]) =>
  OTHER_SETTINGS.has(group)
    ? []
    : (settingsOf(group as SettingsName).fields ?? []).map((name) => ({
        name,
        hasBarePaths,
      })),
);

/** An option of Node that loads a module, with or without its dashes. */
const NODE_LOADS =
  /^(?:--)?(?:import|require|loader|experimental-loader)=(.+)$/;

/** The value of such an option in a list: `["--loader", "x"]`. */
const VALUE = /^(?:\.\.?\/.*|@?\w[\w./-]*)$/;

/**
 * Returns the names of packages that a string in a field can mean, the string itself first. In `extends`, `x` also means
 * `eslint-config-x`, `@m` also means `@m/eslint-config`, and `plugin:x/y` is in `eslint-plugin-x`. A task belongs to a
 * package if the string names one: `x#build`, `x:build`.
 */
export function namesIn(field: string, text: string): readonly string[] {
  if (field === "dependsOn" || field === "with")
    return /^[@\w][\w./-]*(?=#)/.exec(text) ?? [];
  if (field === "node-option" || field === "nodeArguments")
    return NODE_LOADS.exec(text)?.slice(1) ?? VALUE.exec(text) ?? [];
  // A builder without a task is one of Storybook.
  if (field === "executor" || field === "builder" || field === "deps")
    return (
      /^[@\w][\w./-]*(?=:)/.exec(text) ?? (field === "builder" ? [text] : [])
    );
  // Cucumber: `x-formatter:out.json`.
  if (field === "format") return /^@?[\w][\w./-]*(?=:|$)/.exec(text) ?? [];
  const isPlugin = text.startsWith("plugin:");
  const name = isPlugin
    ? text.slice("plugin:".length).replace(/\/[^/]*$/, "")
    : text;
  // Babel: `module:x` is the package without a prefix.
  if (name.startsWith("module:")) return [name.slice("module:".length)];
  if (/^[./]|:/.test(name)) return [name];
  const [scope, rest] = name.startsWith("@")
    ? [`${name.split("/", 1)[0] ?? ""}/`, name.split("/").slice(1).join("/")]
    : ["", name];
  // Babel's own packages have no prefix of the program: `@babel/env` is `@babel/preset-env`.
  const joined = (prefix: string) =>
    scope === "@babel/" ? prefix.replace(/^babel-/, "") : prefix;
  const { prefixes = [], forms = [] } = isPlugin
    ? { prefixes: ["eslint-plugin"] }
    : (FIELDS.get(field) ?? {});
  return [
    name,
    ...prefixes.map(
      (prefix) => `${scope}${joined(prefix)}${rest === "" ? "" : `-${rest}`}`,
    ),
    ...(/[/\s]/.test(name)
      ? []
      : forms.map((form) => form.replace("*", () => name))),
  ];
}

/**
 * Returns the names of packages that a string in `plugins` or `extends` of ESLint's older settings means. ESLint always adds the
 * prefix, unless the name has it: `x` is `eslint-plugin-x`, and never `x`.
 * @returns undefined for a path, a name of ESLint's own settings, and a file of a package, which a patch loads without a prefix
 */
export function namesInEslint(
  field: "plugins" | "extends",
  text: string,
): readonly string[] | undefined {
  const isPlugin = field === "plugins" || text.startsWith("plugin:");
  const name = text.replace(/^plugin:(.*)\/[^/]*$/, "$1");
  const [, owner = "", rest = ""] = NAME.exec(name) ?? [];
  const scope = owner === "" ? "" : `${owner}/`;
  const isFile = !isPlugin && rest.includes("/");
  if (scope + rest === "" || isFile) return undefined;
  const prefix = isPlugin ? "eslint-plugin" : "eslint-config";
  const isWhole =
    rest.startsWith(`${prefix}-`) ||
    (scope !== "" && (rest === prefix || rest.startsWith(`${prefix}/`)));
  if (isWhole) return [name];
  return [`${scope}${prefix}${rest === "" ? "" : `-${rest}`}`];
}

/** The scope of a name, and the rest. */
const NAME = /^(?:(@[\w.-]+)(?=\/|$)\/?)?([\w-][\w./-]*)?$/;
