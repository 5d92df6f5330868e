import { rowsOf } from "./rows.js";

/** The meaning of the values of one field of settings, in every form of these settings. */
export interface Field {
  /**
   * - `packages`: packages or files, as Node's `require` resolves them.
   * - `shared`: like `packages`, but each one contains further settings of the same form.
   * - `tasks`: packages whose tasks run first. Manifests don't have to declare these packages.
   * - `paths`: files or folders, relative to the folder of the settings.
   * - `folders`: folders whose files all count.
   */
  readonly names?: "packages" | "shared" | "tasks" | "paths" | "folders";
  /** The prefix that the program adds to a short name: with `eslint-config`, `x` means `eslint-config-x`. */
  readonly prefix?: string;
  /** Further names that a short name without a scope may mean, with `*` for it: `@rollup/plugin-*`. */
  readonly forms?: readonly string[];
  /** Whether an object in this field is a map whose values are names. In other fields, an object has fields of its own. */
  readonly isMap?: true;
  /**
   * Whether the keys of such an object are names of packages too, with options as values: PostCSS, GraphQL Code Generator.
   */
  readonly hasNamesAsKeys?: true;
  /** Whether bare names resolve to the content of these folders. */
  readonly holdsModules?: true;
  /** Whether the field is an object from names, or patterns of names, to the paths that they resolve to. */
  readonly hasAliases?: true;
  /**
   * Whether the field counts in every source file, because its name is unambiguous and settings may be in files of any name.
   * With `list`, only a list of names counts there. Without this property, the field counts only in files of settings.
   */
  readonly inSources?: "any" | "list";
  /** Options of the command line with the same meaning. */
  readonly options?: readonly string[];
  /** The same of one program, after its name, where other programs mean something else: `mocha -R`. */
  readonly programOptions?: readonly string[];
}

/** The fields of one program's settings. */
export interface ToolFields {
  readonly fields: Readonly<Record<string, Field>>;
  /** Whether a path in the settings may begin without a dot. Then any field may contain a path. */
  readonly hasBarePaths: boolean;
}

/** The meanings of fields that the table names in capitals. */
const MEANINGS: Readonly<Record<string, Field>> = {
  /** A field with an unambiguous name. */
  PLAIN: { names: "packages", inSources: "any", isMap: true },
  SHARED: { names: "shared", inSources: "any", isMap: true },
  LIST: { names: "packages", inSources: "list" },
  /** A field with a name that has many uses. */
  COMMON: { names: "packages" },
  TASKS: { names: "tasks" },
  PATHS: { names: "paths" },
  FOLDERS: { names: "folders" },
};
const FLAGS = /^(?:hasNamesAsKeys|holdsModules|hasAliases|isMap)$/;

/** Settings that their programs look for only in the folder in which they run. */
export const OTHER_SETTINGS: ReadonlySet<string> = new Set(
  "esbuild next nuxt docusaurus webdriverio cucumber textlint solhint markdownlint forge".split(
    " ",
  ),
);

/**
 * The fields of settings that name packages, files or folders, by group of settings. The source is each program's
 * documentation. All forms of the settings derive from this table: JSON, YAML, JavaScript, fields of a package.json, options
 * of the command line. Fields of the same name mean the same in every group, because one program's settings may be part of
 * another's. Browserslist's `extends` isn't a field but the first word of a string, so it is not in this table.
 *
 * A row has the words of a `Field`: its meaning, a prefix (`jest-watch-`), forms (`@vitest/coverage-*`), options
 * (`--preset`), options of one program (`mocha=-R`), and properties that are true.
 */
const TABLE = `
  jest: preset SHARED --preset; setupFiles PLAIN --setupFiles; setupFilesAfterEnv PLAIN --setupFilesAfterEnv;
    globalSetup PLAIN --globalSetup; globalTeardown PLAIN --globalTeardown;
    testEnvironment PLAIN jest-environment- --env --testEnvironment; runner PLAIN jest-runner- --runner;
    testRunner PLAIN --testRunner; reporters PLAIN --reporters; resolver PLAIN --resolver;
    snapshotSerializers PLAIN --snapshotSerializers; snapshotResolver PLAIN; transform PLAIN;
    watchPlugins PLAIN jest-watch- --watchPlugins; testResultsProcessor PLAIN --testResultsProcessor; dependencyExtractor PLAIN;
    testSequencer PLAIN --testSequencer; coverageReporters COMMON --coverageReporters; prettierPath COMMON; filter COMMON; projects FOLDERS; roots FOLDERS; rootDir PATHS;
    modulePaths PATHS holdsModules; moduleDirectories holdsModules; moduleNameMapper PATHS hasAliases; haste PATHS
  vitest: reporters PLAIN --reporter; environment COMMON vitest-environment- --environment;
    provider COMMON @vitest/coverage-* --coverage.provider; customProviderModule COMMON; inline COMMON; pool COMMON; diff COMMON;
    checker COMMON
  vite: minify COMMON; cssMinify COMMON; transformer COMMON; optimizeDeps COMMON isMap; dedupe COMMON
  mocha: require PLAIN -r --require; import COMMON --import; loader COMMON --loader;
    reporter COMMON --reporter mocha=-R; ui COMMON --ui mocha=-u; node-option COMMON; file PATHS; spec PATHS
  ava: require PLAIN; nodeArguments COMMON
  tap: plugin LIST; reporter COMMON; import COMMON
  coverage: extends SHARED; require PLAIN nyc=-i; reporter COMMON
  eslint: extends SHARED eslint-config-; plugins PLAIN eslint-plugin- --plugin; parser COMMON --parser;
    formatter COMMON eslint-formatter- --custom-formatter eslint=-f eslint=--format;
    import/resolver COMMON hasNamesAsKeys eslint-import-resolver-; import/parsers COMMON hasNamesAsKeys
  stylelint: extends SHARED; plugins PLAIN; customSyntax PLAIN --custom-syntax
  prettier: plugins PLAIN; parser COMMON
  babel: extends SHARED; presets PLAIN babel-preset- --presets; plugins PLAIN babel-plugin- --plugins;
    importSource COMMON
  swc: plugins PLAIN
  postcss: plugins PLAIN hasNamesAsKeys postcss=-u postcss=--use; parser COMMON; stringifier COMMON
  rollup: input COMMON isMap; plugin LIST @rollup/plugin-* rollup-plugin-* --configPlugin rollup=-p rollup=--plugin
  webpack: loader COMMON; use COMMON; entry COMMON isMap; alias COMMON isMap hasAliases; exposes COMMON isMap;
    ProvidePlugin COMMON isMap; transpileDependencies LIST
  esbuild: entryPoints COMMON isMap; inject COMMON
  commitlint: extends SHARED commitlint-config- --extends commitlint=-x; plugins PLAIN; parserPreset COMMON
  graphql: preset SHARED @graphql-codegen/*-preset; plugins PLAIN hasNamesAsKeys @graphql-codegen/*
  markdown: plugins PLAIN remark- remark=-u remark=--use
  spelling: import COMMON
  typedoc: extends SHARED; plugin LIST
  storybook: addons LIST; framework COMMON isMap; previewAnnotations COMMON
  next: swcPlugins LIST; transpilePackages LIST
  nuxt: modules COMMON; buildModules COMMON
  forge: makers LIST; publishers LIST
  docusaurus: plugins PLAIN docusaurus-plugin-; presets PLAIN docusaurus-preset-; themes COMMON docusaurus-theme-;
    clientModules COMMON
  # The option --reporter means the field "reporter".
  webdriverio: services COMMON wdio-*-service @wdio/*-service; reporters PLAIN wdio-*-reporter @wdio/*-reporter;
    reporter COMMON wdio-*-reporter @wdio/*-reporter; framework COMMON wdio-*-framework @wdio/*-framework
  karma: frameworks COMMON karma-; reporters PLAIN karma-; reporter COMMON karma-
  cucumber: requireModule PLAIN; format COMMON
  textlint: plugins PLAIN textlint-plugin-
  solhint: plugins PLAIN solhint-plugin-; extends SHARED solhint-config-
  markdownlint: customRules COMMON; markdownItPlugins COMMON; outputFormatters COMMON
  # These settings contain commands, which may be in any field.
  lintStaged:
  nx: implicitDependencies TASKS; dependsOn TASKS; executor TASKS
  angular: builder TASKS
  metro: searchPaths FOLDERS; assetPlugins COMMON; minifierPath COMMON; babelTransformerPath COMMON
  # moon has "deps".
  turbo: dependsOn TASKS; with TASKS; deps TASKS
`;

/** Settings in which a path may begin without a dot, in any field. */
const HAS_BARE_PATHS: ReadonlySet<string> = new Set(
  "tap commitlint markdown spelling typedoc nx".split(" "),
);

/** Reads the words of a field. @throws an Error for an unknown word */
function fieldIn(words: readonly string[]): Field {
  const options: string[] = [];
  const programOptions: string[] = [];
  const forms: string[] = [];
  const field = { options, programOptions, forms };
  for (const word of words) {
    const meaning = MEANINGS[word];
    if (meaning) Object.assign(field, meaning);
    else if (word.startsWith("-")) options.push(word);
    else if (word.includes("=")) programOptions.push(word.replace("=", " "));
    else if (word.includes("*")) forms.push(word);
    else if (word.endsWith("-"))
      Object.assign(field, { prefix: word.slice(0, -1) });
    else if (FLAGS.test(word)) Object.assign(field, { [word]: true });
    else throw new Error(`no field has ${word}`);
  }
  return field;
}

/** Reads the fields of a group: `vite: minify COMMON; cssMinify COMMON`. */
function groupIn(row: string): readonly [group: string, ToolFields] {
  const [group = "", fields = ""] = row.split(/:(?: |$)/);
  return [
    group,
    {
      fields: Object.fromEntries(
        (fields === "" ? [] : fields.split("; ")).map((field) => {
          const [name = "", ...words] = field.split(" ");
          return [name, fieldIn(words)];
        }),
      ),
      hasBarePaths: HAS_BARE_PATHS.has(group),
    },
  ];
}

/** The fields of all programs' settings, by group of settings. */
export const TOOL_FIELDS: Readonly<Record<string, ToolFields>> =
  Object.fromEntries(rowsOf(TABLE).map(groupIn));
