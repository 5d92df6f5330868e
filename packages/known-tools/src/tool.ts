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
  /**
   * Names of files. If the folder in which a program runs contains one of them, the program doesn't look for these settings in the
   * folders above.
   */
  readonly endsAt?: readonly string[];
  /** Packages with which code calls their program, so that an option may let the search begin in another folder. */
  readonly calledBy?: readonly string[];
  /** Programs that begin in the current directory, whatever code calls these packages. */
  readonly surelyOf?: readonly string[];
  /** The group to which they belong for everything but the place of the search. */
  readonly partOf?: SettingsName;
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
  /** Settings that it looks up only in the folder in which it runs, unless a file calls their program with options. */
  readonly here?: readonly SettingsName[];
  /** It may search from another folder than the one in which it runs, such as the project's. */
  readonly choosesRoot?: true;
  /** The beginnings of names of packages that it loads if they are installed, although no file names them. */
  readonly loads?: readonly string[];
  /** Globs of files that it reads by convention although no file names them, relative to the package's folder. */
  readonly reads?: readonly string[];
  /** Plug-ins with which it also reads the pages of a package: in the project, a file or a manifest has to name one. */
  readonly readsPagesWith?: readonly string[];
  /** How it reads whole folders; undefined if it doesn't. */
  readonly walks?: Walks;
  /** It is a test runner: no word of its command is a script. */
  readonly runsTests?: true;
  /** Its options name packages that it loads. */
  readonly loadsByOption?: true;
  /** It puts the packages that a package imports into its output: always, or with this command (`vite build`). */
  readonly bundles?: true | string;
}

/** How a program reads whole folders. */
export interface Walks {
  /** The end of the names of files that matter to it; empty for all files. */
  readonly end: string;
  /** It reads the current directory if no argument names a folder. */
  readonly here: boolean;
}

/** Every group of settings. */
export type SettingsName = keyof typeof SETTINGS;

const SOURCE_ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs"];
const [VITEST_CONFIG = "", VITE_CONFIG = ""] = ["vitest", "vite"].map((name) =>
  SOURCE_ENDINGS.map((ending) => `${name}.config.${ending}`).join(" "),
);
const BABEL_CONFIG =
  "babel.config.js babel.config.cjs babel.config.mjs babel.config.json babel.config.ts babel.config.cts";
/** Transforms, loaders and plug-ins that call Babel with options of their user. */
const CALL_BABEL =
  `@babel/core @babel/register babel-core babel-register babel-loader babel-jest @rollup/plugin-babel
  rollup-plugin-babel @rolldown/plugin-babel @rsbuild/plugin-babel vite-plugin-babel vite-plugin-babel-macros vite-plugin-relay
  vite-plugin-linaria @linaria/vite @linaria/rollup @linaria/webpack-loader @wyw-in-js/vite @wyw-in-js/rollup
  @wyw-in-js/webpack-loader @embroider/vite esbuild-plugin-babel gulp-babel babelify karma-babel-preprocessor @ava/babel`.replaceAll(
    /\s+/g,
    " ",
  );
const BABELRC =
  ".babelrc .babelrc.js .babelrc.cjs .babelrc.mjs .babelrc.json .babelrc.cts";

/**
 * The settings that programs look up. The source is each program's documentation. If two programs share a file, both name its
 * group. A row contains the members of its `SettingsGroup`, apart by semicolons, first the role.
 */
const SETTINGS = {
  // Stops at a manifest: resolveConfigPathByTraversing in jest-config.
  jest: "Jest's settings; files jest.config.*; fields jest; stopsAtManifest",
  mocks: "Jest's mocks of packages; files __mocks__/**",
  // createVitest searches upwards for the first folder with one of these files, and for a workspace only beside it.
  vitest: `Vitest's settings; files vitest.config.* vitest.workspace.*; endsAt ${VITEST_CONFIG} ${VITE_CONFIG}; calledBy vitest; surelyOf vitest`,
  vite: `Vite's settings; files vite.config.*; endsAt ${VITE_CONFIG}; calledBy vite vitest; surelyOf vite vitest`,
  // Babel looks for them in its root alone, which is the current directory unless an option names another or `rootMode` the
  // nearest folder with such a file: https://babeljs.io/docs/config-files#project-wide-configuration.
  babel: `Babel's settings; files babel.config.*; fields babel; endsAt ${BABEL_CONFIG}; calledBy ${CALL_BABEL}; surelyOf babel babel-node`,
  babelrc: `Babel's settings; files .babelrc{,.*}; endsAt ${BABEL_CONFIG} ${BABELRC}; calledBy ${CALL_BABEL}; surelyOf babel babel-node`,
  swc: "SWC's settings; files .swcrc",
  browserslist:
    "Browserslist's settings; files .browserslistrc browserslist; fields browserslist",
  postcss:
    "PostCSS's settings; files postcss.config.* .postcssrc{,.*} {uno,unocss,windi}.config.*; fields postcss",
  tailwind: "Tailwind's settings; files tailwind.config.*",
  webpack: "webpack's settings; files webpack.config.*",
  rspack: "Rspack's settings; files {rspack,rsbuild,rslib}.config.*; isNamed",
  rollup: "Rollup's settings; files {rollup,rolldown}.config.*",
  tsup: "a bundler's settings; files {tsup,tsdown,unbuild,build}.config.*; fields tsup",
  parcel: "Parcel's settings; files .parcelrc .proxyrc{,.*}; fields @parcel/*",
  metro:
    "React Native's settings; files metro.config.* app.{json,config.*} react-native.config.*",
  storybook: "Storybook's settings; files .storybook/**; isNamed",
  mocha: "Mocha's settings; files .mocharc{,.*}; fields mocha",
  ava: "AVA's settings; files ava.config.*; fields ava",
  karma: "Karma's settings; files karma.conf.* karma.config.*; isNamed",
  jasmine: "Jasmine's settings; files jasmine.json",
  tap: "tap's settings; files .taprc; fields tap",
  coverage:
    "settings of test coverage; files .nycrc{,.*} nyc.config.* .c8rc{,.*} .c8.config.*; fields nyc c8; isNamed",
  playwright: "Playwright's settings; files playwright{,-ct}.config.*; isNamed",
  puppeteer:
    "Puppeteer's settings; files .puppeteerrc{,.*} puppeteer.config.*; isNamed; isOfLibrary",
  cypress: "Cypress's settings; files cypress.config.* cypress.json; isNamed",
  eslint:
    "ESLint's settings; files eslint.config.* .eslintrc{,.*} .eslintignore eslint-local-rules{,.*,/**}; fields eslintConfig eslintIgnore xo",
  tslint: "TSLint's settings; files tslint.{json,yaml}; isNamed",
  angular: "Angular's settings; files angular.json; isNamed",
  syncpack:
    "Syncpack's settings; files .syncpackrc{,.*} syncpack.config.*; isNamed",
  packageJsonLint:
    "settings of npm-package-json-lint; files .npmpackagejsonlintrc{,.*} .npmpackagejsonlintignore; isNamed",
  prettier:
    "Prettier's settings; files .prettierrc{,.*} prettier.config.* package.yaml; fields prettier",
  // The CLI's --ignore-path, and ignorePath in Prettier's plug-ins for linters, begin at the current directory.
  prettierIgnored:
    "Prettier's settings; files .prettierignore; stopsAtManifest; surelyOf eslint; partOf prettier",
  editorconfig:
    "settings of editors, which formatters read; files .editorconfig; isNamed",
  stylelint:
    "Stylelint's settings; files .stylelintrc{,.*} stylelint.config.*; fields stylelint",
  stylelintIgnored:
    "Stylelint's settings; files .stylelintignore; stopsAtManifest; partOf stylelint",
  oxc: "Oxc's settings; files .oxlintrc{,.*} .oxfmtrc{,.*} oxlint.{json{,c},config.*} oxfmt.config.*; isNamed",
  biome: "Biome's settings; files {,.}biome.json{,c} rome.json; isNamed",
  dprint: "dprint's settings; files dprint.json{,c} .dprint.json{,c}; isNamed",
  deno: "Deno's settings; files deno.json{,c} deno.lock; isNamed",
  bun: "Bun's settings; files bunfig.toml; isNamed",
  markdown:
    "settings of a Markdown linter; files .markdownlint{,-cli2}.* .markdownlintignore .remarkrc{,.*} .remarkignore; fields remarkConfig; isNamed",
  spelling:
    "settings of a spelling checker; files cspell.* .cspell.* cspell.config.*; fields cspell; isNamed",
  knip: "settings of a dependency checker; files {,.}knip.{json{,c},ts,js,config.*} knip.config.* .depcheckrc{,.*} .madgerc; fields knip depcheck; isNamed",
  duplicates: "jscpd's settings; files .jscpd.json; fields jscpd; isNamed",
  // TypeDocReader looks in the current directory alone.
  typedoc:
    "TypeDoc's settings; files typedoc.*; fields typedocOptions; isNamed; stopsAtManifest",
  apiExtractor:
    "API Extractor's settings; files api-extractor.json api-extractor-base.json; isNamed",
  graphql:
    "GraphQL's settings; files .graphqlrc{,.*} graphql.config.* codegen.{yml,yaml,ts,js,json}; isNamed",
  commitlint:
    "commitlint's settings; files commitlint.config.* .commitlintrc{,.*}; fields commitlint; isNamed",
  lintStaged:
    "lint-staged's settings; files .lintstagedrc{,.*} lint-staged.config.*; fields lint-staged; isNamed",
  nx: "Nx's settings; files nx.json workspace.json .nxignore; fields nx; isNamed; listsTasks",
  turbo: "Turborepo's settings; files turbo.json{,c}; isNamed; listsTasks",
  lerna: "Lerna's settings; files lerna.json; isNamed",
  lage: "lage's settings; files lage.config.*; isNamed",
  wireit: "wireit's settings; fields wireit; isNamed",
  docker:
    "Docker's settings; files .dockerignore docker-bake.{hcl,json}; isNamed",
  cargo:
    "settings of Rust's tools; files Cargo.{toml,lock} rust-toolchain{,.toml} .cargo/** {,.}rustfmt.toml {,.}clippy.toml; foreignEndings .rs",
  go: "settings of Go's tools; files go.{mod,sum,work,work.sum}; foreignEndings .go",
  python:
    "settings of Python's tools; files {pyproject,uv}.toml uv.lock poetry.lock setup.{cfg,py} tox.ini {,.}pytest.ini conftest.py Pipfile{,.lock} pdm.lock requirements*.txt .python-version ruff.toml; foreignEndings .py .pyx .ipynb",
  ruby: "settings of Ruby's tools; files Gemfile{,.lock} .ruby-version Podfile{,.lock}; foreignEndings .rb .podspec",
  gradle:
    "settings of Gradle; files {build,settings}.gradle{,.kts} gradle.properties gradle/** buildSrc/** gradlew{,.bat}; foreignEndings .java .kt .kts .gradle",
  cmake:
    "settings of a C compiler's tools; files CMakeLists.txt CMakePresets.json binding.gyp *.gypi; foreignEndings .c .cc .cpp .h .hpp .gyp",
  unknown: "settings of an unknown program",
  // Programs that have a folder in it look there; see FOLDER_OF_CONFIG in unowned-rules.ts.
  anyTool:
    "settings in a folder that many programs look through; files .config/*",
} as const satisfies Readonly<Record<string, string>>;

/** Reads a row of `SETTINGS`. */
function groupIn(row: string): SettingsGroup {
  const [role = "", ...members] = row.split("; ");
  const named = members.map((member) => {
    const [name = "", ...words] = member.split(" ");
    const value = name === "partOf" ? words[0] : words;
    return [name, words.length === 0 ? true : value] as const;
  });
  return { files: [], role, ...Object.fromEntries(named) };
}

const GROUPS = new Map(
  Object.entries(SETTINGS).map(([name, row]) => [name, groupIn(row)]),
);

/** The names of all groups. */
export const SETTINGS_NAMES = Object.keys(SETTINGS) as readonly SettingsName[];

/** Returns the settings of a group. @throws an Error for a name that isn't in the table */
export function settingsOf(name: SettingsName): SettingsGroup {
  const group = GROUPS.get(name);
  if (!group) throw new Error(`there are no settings ${name}`);
  return group;
}
