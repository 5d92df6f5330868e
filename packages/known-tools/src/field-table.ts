import type { SettingsName } from "./tool.js";

/** The meaning of the values of one field of settings, in every form of these settings. */
export interface Field {
  /**
   * - `packages`: packages or files, as Node's `require` resolves them.
   * - `shared`: like `packages`, but each one contains further settings of the same form.
   * - `tasks`: packages whose tasks run first. Nobody has to declare these packages.
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
  readonly hasBarePaths?: true;
}

/** A field with an unambiguous name. */
const PLAIN = {
  names: "packages",
  inSources: "any",
  isMap: true,
} as const satisfies Field;
const SHARED = { ...PLAIN, names: "shared" } as const satisfies Field;
const PLUGINS = { ...PLAIN, hasNamesAsKeys: true } as const satisfies Field;
/** A field with a name that has many uses. */
const COMMON = { names: "packages" } as const satisfies Field;
const WDIO_REPORTERS = ["wdio-*-reporter", "@wdio/*-reporter"] as const;
const LIST = { names: "packages", inSources: "list" } as const satisfies Field;
const TASKS = { names: "tasks" } as const satisfies Field;

/** Settings that their programs look for only in the folder in which they run. */
export const OTHER_SETTINGS = [
  "next",
  "docusaurus",
  "webdriverio",
  "cucumber",
  "textlint",
  "solhint",
  "markdownlint",
] as const;
export type OtherSettings = (typeof OTHER_SETTINGS)[number];

/**
 * The fields of settings that name packages, files or folders, by group of settings. The source is each program's
 * documentation. All forms of the settings derive from this table: JSON, YAML, JavaScript, fields of a package.json, options
 * of the command line. Fields of the same name mean the same in every group, because one program's settings may be part of
 * another's. Browserslist's `extends` isn't a field but the first word of a string, so it is not in this table.
 */
export const TOOL_FIELDS: Readonly<
  Partial<Record<SettingsName | OtherSettings, ToolFields>>
> = {
  jest: {
    fields: {
      preset: { ...SHARED, options: ["--preset"] },
      setupFiles: { ...PLAIN, options: ["--setupFiles"] },
      setupFilesAfterEnv: { ...PLAIN, options: ["--setupFilesAfterEnv"] },
      globalSetup: { ...PLAIN, options: ["--globalSetup"] },
      globalTeardown: { ...PLAIN, options: ["--globalTeardown"] },
      testEnvironment: {
        ...PLAIN,
        prefix: "jest-environment",
        options: ["--env", "--testEnvironment"],
      },
      runner: { ...PLAIN, prefix: "jest-runner", options: ["--runner"] },
      testRunner: { ...PLAIN, options: ["--testRunner"] },
      reporters: { ...PLAIN, options: ["--reporters"] },
      resolver: { ...PLAIN, options: ["--resolver"] },
      snapshotSerializers: { ...PLAIN, options: ["--snapshotSerializers"] },
      snapshotResolver: PLAIN,
      transform: PLAIN,
      watchPlugins: { ...PLAIN, prefix: "jest-watch" },
      testResultsProcessor: {
        ...PLAIN,
        options: ["--testResultsProcessor"],
      },
      dependencyExtractor: PLAIN,
      testSequencer: { ...PLAIN, options: ["--testSequencer"] },
      filter: COMMON,
      projects: { names: "folders" },
      roots: { names: "folders" },
      rootDir: { names: "paths" },
      modulePaths: { names: "paths", holdsModules: true },
      moduleDirectories: { holdsModules: true },
      moduleNameMapper: { names: "paths", hasAliases: true },
      haste: { names: "paths" },
    },
  },
  vitest: {
    fields: {
      reporters: { ...PLAIN, options: ["--reporter"] },
      environment: {
        ...COMMON,
        prefix: "vitest-environment",
        options: ["--environment"],
      },
      provider: {
        ...COMMON,
        forms: ["@vitest/coverage-*"],
        options: ["--coverage.provider"],
      },
      customProviderModule: COMMON,
    },
  },
  vite: {
    fields: { minify: COMMON, cssMinify: COMMON, transformer: COMMON },
  },
  mocha: {
    fields: {
      require: { ...PLAIN, options: ["-r", "--require"] },
      import: { ...COMMON, options: ["--import"] },
      loader: { ...COMMON, options: ["--loader"] },
      reporter: {
        ...COMMON,
        options: ["--reporter"],
        programOptions: ["mocha -R"],
      },
      ui: { ...COMMON, options: ["--ui"], programOptions: ["mocha -u"] },
      "node-option": COMMON,
      file: { names: "paths" },
      spec: { names: "paths" },
    },
  },
  ava: { fields: { require: PLAIN, nodeArguments: COMMON } },
  tap: {
    fields: { plugin: LIST, reporter: COMMON, import: COMMON },
    hasBarePaths: true,
  },
  coverage: { fields: { extends: SHARED, require: PLAIN, reporter: COMMON } },
  eslint: {
    fields: {
      extends: { ...SHARED, prefix: "eslint-config" },
      plugins: { ...PLAIN, prefix: "eslint-plugin", options: ["--plugin"] },
      parser: { ...COMMON, options: ["--parser"] },
      formatter: {
        ...COMMON,
        prefix: "eslint-formatter",
        options: ["--custom-formatter"],
        programOptions: ["eslint -f", "eslint --format"],
      },
      "import/resolver": {
        ...COMMON,
        prefix: "eslint-import-resolver",
        hasNamesAsKeys: true,
      },
    },
  },
  stylelint: {
    fields: {
      extends: SHARED,
      plugins: PLAIN,
      customSyntax: { ...PLAIN, options: ["--custom-syntax"] },
    },
  },
  prettier: { fields: { plugins: PLAIN, parser: COMMON } },
  babel: {
    fields: {
      extends: SHARED,
      presets: { ...PLAIN, prefix: "babel-preset", options: ["--presets"] },
      plugins: { ...PLAIN, prefix: "babel-plugin", options: ["--plugins"] },
      importSource: COMMON,
    },
  },
  swc: { fields: { plugins: PLAIN } },
  postcss: {
    fields: {
      plugins: { ...PLUGINS, programOptions: ["postcss -u", "postcss --use"] },
      parser: COMMON,
    },
  },
  rollup: {
    fields: {
      plugin: {
        ...LIST,
        forms: ["@rollup/plugin-*", "rollup-plugin-*"],
        options: ["--configPlugin"],
        programOptions: ["rollup -p", "rollup --plugin"],
      },
    },
  },
  webpack: { fields: { loader: COMMON } },
  commitlint: {
    fields: {
      extends: {
        ...SHARED,
        prefix: "commitlint-config",
        options: ["--extends"],
        programOptions: ["commitlint -x"],
      },
      plugins: PLAIN,
    },
    hasBarePaths: true,
  },
  graphql: {
    fields: {
      preset: { ...SHARED, forms: ["@graphql-codegen/*-preset"] },
      plugins: { ...PLUGINS, forms: ["@graphql-codegen/*"] },
    },
  },
  markdown: {
    fields: {
      plugins: {
        ...PLAIN,
        prefix: "remark",
        programOptions: ["remark -u", "remark --use"],
      },
    },
    hasBarePaths: true,
  },
  spelling: { fields: { import: COMMON }, hasBarePaths: true },
  typedoc: {
    fields: { extends: SHARED, plugin: LIST },
    hasBarePaths: true,
  },
  storybook: { fields: { addons: LIST } },
  next: { fields: { swcPlugins: LIST, transpilePackages: LIST } },
  docusaurus: {
    fields: {
      plugins: { ...PLAIN, prefix: "docusaurus-plugin" },
      presets: { ...PLAIN, prefix: "docusaurus-preset" },
      themes: { ...COMMON, prefix: "docusaurus-theme" },
    },
  },
  webdriverio: {
    fields: {
      services: {
        ...COMMON,
        forms: ["wdio-*-service", "@wdio/*-service"],
      },
      reporters: { ...PLAIN, forms: WDIO_REPORTERS },
      // The option `--reporter` means this field.
      reporter: { ...COMMON, forms: WDIO_REPORTERS },
      framework: {
        ...COMMON,
        forms: ["wdio-*-framework", "@wdio/*-framework"],
      },
    },
  },
  karma: {
    fields: {
      frameworks: { ...COMMON, prefix: "karma" },
      reporters: { ...PLAIN, prefix: "karma" },
      reporter: { ...COMMON, prefix: "karma" },
    },
  },
  cucumber: { fields: { requireModule: PLAIN, format: COMMON } },
  textlint: { fields: { plugins: { ...PLAIN, prefix: "textlint-plugin" } } },
  solhint: {
    fields: {
      plugins: { ...PLAIN, prefix: "solhint-plugin" },
      extends: { ...SHARED, prefix: "solhint-config" },
    },
  },
  markdownlint: {
    fields: {
      customRules: COMMON,
      markdownItPlugins: COMMON,
      outputFormatters: COMMON,
    },
  },
  // These settings contain commands, which may be in any field.
  lintStaged: { fields: {} },
  nx: {
    fields: { implicitDependencies: TASKS, dependsOn: TASKS, executor: TASKS },
    hasBarePaths: true,
  },
  // moon has `deps`.
  turbo: { fields: { dependsOn: TASKS, with: TASKS, deps: TASKS } },
};
