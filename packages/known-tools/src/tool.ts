/**
 * Settings that programs find by themselves: by file name in the folder of the package and in every folder above it, or as a
 * field of the root's package.json.
 */
export interface SettingsGroup {
  /** Globs of file names. A path with a slash is relative to each folder in which the program looks. */
  readonly files: readonly string[];
  /** Fields of a package.json that contain the same settings. */
  readonly fields?: readonly string[];
  /** The name of the group for people: `Jest's settings`. */
  readonly role: string;
  /**
   * Only their own programs load these settings. An unknown program counts only in a package that names one of these programs.
   */
  readonly isNamed?: true;
  /**
   * The endings of the sources of the other language to which the settings belong; undefined for JavaScript. Folders that such
   * settings name aren't dependencies of packages in JavaScript. An unknown program counts only in a package that has such
   * sources or names one of the programs.
   */
  readonly foreignEndings?: readonly string[];
  /** A library looks them up: any program that runs code of a package that uses the library. */
  readonly isOfLibrary?: true;
  /**
   * Their program looks for them only up to the first folder with a package.json, so a package's script that runs it in its own
   * folder doesn't read those of the folders above.
   */
  readonly stopsAtManifest?: true;
  /** They list the tasks of packages. A program that looks them up doesn't use these packages. */
  readonly listsTasks?: true;
}

/**
 * The use of a program's result.
 * - `build`: others use its output, so a change of its settings affects dependents too.
 * - `run`: it runs code of the package and makes nothing that others use, like a test runner or a server.
 * - `check`: it reads sources, and judges or formats them.
 */
export type Purpose = "build" | "run" | "check";

/** A program that package scripts run. */
export interface Tool {
  /** The words that call it in scripts. Packages of these names contain it. */
  readonly programs: readonly string[];
  /** Further packages that contain it or that load the same settings. */
  readonly packages?: readonly string[];
  readonly purpose: Purpose;
  /** The settings that it looks up, or that a tool looks up which it loads. */
  readonly looksUp: readonly SettingsName[];
  /** The settings that its plug-ins look up, with the packages that contain them: in the project, a file has to name one. */
  readonly looksUpWith?: Readonly<
    Partial<Record<SettingsName, readonly string[]>>
  >;
  /** The beginnings of names of packages that it loads if they are installed, although no file names them. */
  readonly loads?: readonly string[];
  /** Globs of files that it reads by convention although no file names them, relative to the package's folder. */
  readonly reads?: readonly string[];
}

/** Every group of settings. */
export type SettingsName = keyof typeof SETTINGS;

/**
 * The settings that programs look up. The source is each program's documentation. If two programs share a file, both name its
 * group.
 */
export const SETTINGS = {
  jest: {
    files: ["jest.config.*"],
    fields: ["jest"],
    role: "Jest's settings",
    // resolveConfigPathByTraversing in jest-config
    stopsAtManifest: true,
  },
  mocks: { files: ["__mocks__/**"], role: "Jest's mocks of packages" },
  vitest: {
    files: ["vitest.config.*", "vitest.workspace.*"],
    role: "Vitest's settings",
  },
  vite: { files: ["vite.config.*"], role: "Vite's settings" },
  babel: {
    files: ["babel.config.*", ".babelrc{,.*}"],
    fields: ["babel"],
    role: "Babel's settings",
  },
  swc: { files: [".swcrc"], role: "SWC's settings" },
  browserslist: {
    files: [".browserslistrc", "browserslist"],
    fields: ["browserslist"],
    role: "Browserslist's settings",
  },
  postcss: {
    files: [
      "postcss.config.*",
      ".postcssrc{,.*}",
      "{uno,unocss,windi}.config.*",
    ],
    fields: ["postcss"],
    role: "PostCSS's settings",
  },
  tailwind: { files: ["tailwind.config.*"], role: "Tailwind's settings" },
  webpack: { files: ["webpack.config.*"], role: "webpack's settings" },
  rspack: {
    files: ["{rspack,rsbuild,rslib}.config.*"],
    role: "Rspack's settings",
    isNamed: true,
  },
  rollup: { files: ["rollup.config.*"], role: "Rollup's settings" },
  tsup: {
    files: ["{tsup,tsdown,unbuild,build}.config.*"],
    fields: ["tsup"],
    role: "a bundler's settings",
  },
  parcel: {
    files: [".parcelrc", ".proxyrc{,.*}"],
    fields: ["@parcel/*"],
    role: "Parcel's settings",
  },
  metro: {
    files: ["metro.config.*", "app.json", "react-native.config.*"],
    role: "React Native's settings",
  },
  storybook: {
    files: [".storybook/**"],
    role: "Storybook's settings",
    isNamed: true,
  },
  mocha: {
    files: [".mocharc{,.*}"],
    fields: ["mocha"],
    role: "Mocha's settings",
  },
  ava: { files: ["ava.config.*"], fields: ["ava"], role: "AVA's settings" },
  karma: {
    files: ["karma.conf.*", "karma.config.*"],
    role: "Karma's settings",
    isNamed: true,
  },
  jasmine: { files: ["jasmine.json"], role: "Jasmine's settings" },
  tap: { files: [".taprc"], fields: ["tap"], role: "tap's settings" },
  coverage: {
    files: [".nycrc{,.*}", "nyc.config.*", ".c8rc{,.*}", ".c8.config.*"],
    fields: ["nyc", "c8"],
    role: "settings of test coverage",
    isNamed: true,
  },
  playwright: {
    files: ["playwright.config.*"],
    role: "Playwright's settings",
    isNamed: true,
  },
  puppeteer: {
    files: [".puppeteerrc{,.*}", "puppeteer.config.*"],
    role: "Puppeteer's settings",
    isNamed: true,
    isOfLibrary: true,
  },
  cypress: {
    files: ["cypress.config.*", "cypress.json"],
    role: "Cypress's settings",
    isNamed: true,
  },
  eslint: {
    files: [
      "eslint.config.*",
      ".eslintrc{,.*}",
      ".eslintignore",
      "eslint-local-rules{,.*,/**}",
    ],
    fields: ["eslintConfig", "eslintIgnore", "xo"],
    role: "ESLint's settings",
  },
  tslint: {
    files: ["tslint.{json,yaml}"],
    role: "TSLint's settings",
    isNamed: true,
  },
  angular: {
    files: ["angular.json"],
    role: "Angular's settings",
    isNamed: true,
  },
  syncpack: {
    files: [".syncpackrc{,.*}", "syncpack.config.*"],
    role: "Syncpack's settings",
    isNamed: true,
  },
  packageJsonLint: {
    files: [".npmpackagejsonlintrc{,.*}", ".npmpackagejsonlintignore"],
    role: "settings of npm-package-json-lint",
    isNamed: true,
  },
  prettier: {
    files: [
      ".prettierrc{,.*}",
      "prettier.config.*",
      ".prettierignore",
      "package.yaml",
    ],
    fields: ["prettier"],
    role: "Prettier's settings",
  },
  editorconfig: {
    files: [".editorconfig"],
    role: "settings of editors, which formatters read",
    isNamed: true,
  },
  stylelint: {
    files: [".stylelintrc{,.*}", "stylelint.config.*", ".stylelintignore"],
    fields: ["stylelint"],
    role: "Stylelint's settings",
  },
  oxc: {
    files: [
      ".oxlintrc{,.*}",
      ".oxfmtrc{,.*}",
      "oxlint.{json{,c},config.*}",
      "oxfmt.config.*",
    ],
    role: "Oxc's settings",
    isNamed: true,
  },
  biome: {
    files: ["{,.}biome.json{,c}", "rome.json"],
    role: "Biome's settings",
    isNamed: true,
  },
  dprint: {
    files: ["dprint.json{,c}", ".dprint.json{,c}"],
    role: "dprint's settings",
    isNamed: true,
  },
  deno: {
    files: ["deno.json{,c}", "deno.lock"],
    role: "Deno's settings",
    isNamed: true,
  },
  bun: { files: ["bunfig.toml"], role: "Bun's settings", isNamed: true },
  markdown: {
    files: [
      ".markdownlint{,-cli2}.*",
      ".markdownlintignore",
      ".remarkrc{,.*}",
      ".remarkignore",
    ],
    fields: ["remarkConfig"],
    role: "settings of a Markdown linter",
    isNamed: true,
  },
  spelling: {
    files: ["cspell.*", ".cspell.*", "cspell.config.*"],
    fields: ["cspell"],
    role: "settings of a spelling checker",
    isNamed: true,
  },
  knip: {
    files: [
      "{,.}knip.{json{,c},ts,js,config.*}",
      "knip.config.*",
      ".depcheckrc{,.*}",
      ".madgerc",
    ],
    fields: ["knip", "depcheck"],
    role: "settings of a dependency checker",
    isNamed: true,
  },
  typedoc: {
    files: ["typedoc.*"],
    fields: ["typedocOptions"],
    role: "TypeDoc's settings",
    isNamed: true,
    // TypeDocReader looks in the current directory alone.
    stopsAtManifest: true,
  },
  apiExtractor: {
    files: ["api-extractor.json", "api-extractor-base.json"],
    role: "API Extractor's settings",
    isNamed: true,
  },
  graphql: {
    files: [
      ".graphqlrc{,.*}",
      "graphql.config.*",
      "codegen.{yml,yaml,ts,js,json}",
    ],
    role: "GraphQL's settings",
    isNamed: true,
  },
  commitlint: {
    files: ["commitlint.config.*", ".commitlintrc{,.*}"],
    fields: ["commitlint"],
    role: "commitlint's settings",
    isNamed: true,
  },
  lintStaged: {
    files: [".lintstagedrc{,.*}", "lint-staged.config.*"],
    fields: ["lint-staged"],
    role: "lint-staged's settings",
    isNamed: true,
  },
  nx: {
    files: ["nx.json", "workspace.json", ".nxignore"],
    fields: ["nx"],
    role: "Nx's settings",
    isNamed: true,
    listsTasks: true,
  },
  turbo: {
    files: ["turbo.json{,c}"],
    role: "Turborepo's settings",
    isNamed: true,
    listsTasks: true,
  },
  lerna: { files: ["lerna.json"], role: "Lerna's settings", isNamed: true },
  lage: { files: ["lage.config.*"], role: "lage's settings", isNamed: true },
  wireit: {
    files: [],
    fields: ["wireit"],
    role: "wireit's settings",
    isNamed: true,
  },
  docker: {
    files: [".dockerignore", "docker-bake.{hcl,json}"],
    role: "Docker's settings",
    isNamed: true,
  },
  cargo: {
    files: [
      "Cargo.{toml,lock}",
      "rust-toolchain{,.toml}",
      ".cargo/**",
      "{,.}rustfmt.toml",
      "{,.}clippy.toml",
    ],
    role: "settings of Rust's tools",
    foreignEndings: [".rs"],
  },
  go: {
    files: ["go.{mod,sum,work,work.sum}"],
    role: "settings of Go's tools",
    foreignEndings: [".go"],
  },
  python: {
    files: [
      "{pyproject,uv}.toml",
      "uv.lock",
      "poetry.lock",
      "setup.{cfg,py}",
      "tox.ini",
      "{,.}pytest.ini",
      "conftest.py",
      "Pipfile{,.lock}",
      "pdm.lock",
      "requirements*.txt",
      ".python-version",
      "ruff.toml",
    ],
    role: "settings of Python's tools",
    foreignEndings: [".py", ".pyx", ".ipynb"],
  },
  ruby: {
    files: ["Gemfile{,.lock}", ".ruby-version", "Podfile{,.lock}"],
    role: "settings of Ruby's tools",
    foreignEndings: [".rb", ".podspec"],
  },
  gradle: {
    files: [
      "{build,settings}.gradle{,.kts}",
      "gradle.properties",
      "gradle/**",
      "buildSrc/**",
      "gradlew{,.bat}",
    ],
    role: "settings of Gradle",
    foreignEndings: [".java", ".kt", ".kts", ".gradle"],
  },
  cmake: {
    files: ["CMakeLists.txt", "CMakePresets.json", "binding.gyp", "*.gypi"],
    role: "settings of a C compiler's tools",
    foreignEndings: [".c", ".cc", ".cpp", ".h", ".hpp", ".gyp"],
  },
  unknown: { files: [], role: "settings of an unknown program" },
  anyTool: {
    // Programs that have a folder in it look there; see FOLDER_OF_CONFIG in unowned-rules.ts.
    files: [".config/*"],
    role: "settings in a folder that many programs look through",
  },
} as const satisfies Readonly<Record<string, SettingsGroup>>;

/** The names of all groups. */
export const SETTINGS_NAMES = Object.keys(SETTINGS) as readonly SettingsName[];

/** Returns the settings of a group. */
export function settingsOf(name: SettingsName): SettingsGroup {
  return SETTINGS[name];
}
