import { LOADERS_OF_SETTINGS } from "@skein/known-tools";

/** Part of the kept index's key: raise it whenever any scanner finds something else than before. */
export const SCANNERS_VERSION = 207;

/** Endings that say the language of a source file, longest first. */
export const SOURCE_ENDINGS = [
  "d.ts",
  "d.mts",
  "d.cts",
  "ts",
  "tsx",
  "mts",
  "cts",
  "js",
  "jsx",
  "mjs",
  "cjs",
] as const;

/** Endings of settings that are programs. */
export const SETTINGS_ENDINGS = [
  "ts",
  "mts",
  "cts",
  "js",
  "mjs",
  "cjs",
] as const;

/**
 * Names of programs that are a tool's settings: `.eslintrc.js`, `jest.config.ts`, `jest.config.base.js`, `karma.conf.js`,
 * `jest-preset.js`, `webpack.common.js`, `.storybook/main.ts`. A file that tests such settings isn't one.
 */
const SETTINGS_SOURCE =
  /^(?:\.(?:[\w-]+rc|markdownlint-cli2|release-it)(?:\.[\w-]+)*|[\w-]+(?:\.[\w-]+)*?\.(?:config|conf)(?:\.(?!test\.|spec\.)[\w-]+)*|(?:jest|babel)[.-]preset|(?:webpack|rspack|rollup|esbuild|vite|vitest|jest)\.(?:base|common|dev|prod|development|production|shared|dll|server|client|main|renderer))\.[cm]?[jt]s$/;

/** Settings in TypeScript that their program loads with another package: `jest.config.ts`. */
const LOADED_SETTINGS = new RegExp(
  `(?:^|/)(${Object.keys(LOADERS_OF_SETTINGS).join("|")})\\.(?:[\\w-]+\\.)*(?:config|conf)(?:\\.[\\w-]+)*\\.[cm]?ts$`,
);

/** Settings that their program loads with @babel/register: `webpack.config.babel.js`, `gulpfile.babel.js`. */
const COMPILED_SETTINGS = /(?:^|\/)(?:[\w-]+\.config|gulpfile)\.babel\.[jt]s$/;

/** ESLint's older settings, in which short names get a prefix. */
const OLD_ESLINT = /(?:^|\/)\.eslintrc\.c?js$/;

type LoadedSettings = keyof typeof LOADERS_OF_SETTINGS;

function isSettings(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SETTINGS_SOURCE.test(name) || path.includes(".storybook/");
}

/**
 * All endings except three groups: pictures, sounds, fonts, archives, programs and databases, which aren't text; data, logs
 * and recorded output, which may name anything; and documentation, which uses nothing.
 */
const ANYTHING_ELSE =
  /(?<!\.(?:png|jpe?g|gif|webp|avif|bmp|ico|icns|tiff?|psd|ai|sketch|fig|mp[34]|m4[av]|webm|mov|avi|og[gv]|wav|flac|pdf|docx?|xlsx?|pptx?|woff2?|ttf|otf|eot|zip|gz|tgz|tar|bz2|xz|br|zst|7z|rar|jar|war|class|node|wasm|exe|dll|so|dylib|a|o|obj|lib|bin|dat|db|sqlite3?|pack|idx|keystore|jks|p12|pfx|der|crt|cer|pem|key|map|min\.js|csv|tsv|log|snap|lock|patch|diff|md|markdown|rst|adoc|txt|po|pot|srt|vtt|geojson|parquet|avro|onnx|pt|h5|npy|svgz|swp|bak|orig|tsbuildinfo|eps|ps|dwg|stl|glb|fbx|blend|usdz|ktx2?|hdr|exr|heic|jp2|xcf|y4m|yuv|mkv|wmv|flv|aac|aiff?|opus|apk|aab|ipa|dmg|pkg|msi|deb|rpm|iso|nupkg|whl|pyc|pdb|tflite|safetensors|gguf|ckpt|traineddata|lz4|pcap|hprof|heapsnapshot|cpuprofile))$|(?:^|\/)(?:requirements[^/]*|CMakeLists|remappings)\.txt$/i;

/**
 * The kinds of files that are read and aren't sources, each with its names; the first match counts. They are in a module
 * without the scanners, so that a run with nothing to read loads no scanner.
 */
const KINDS = [
  ["manifest", /(^|\/)package\.json$/],
  // Also `base.json` in a folder of shared configurations.
  [
    "tsconfig",
    /([tj]sconfig|ts-config|typescript-config)[^/]*(\/[^/]+)?\.json$/,
  ],
  ["tool.eslint", /(^|\/)\.eslintrc(\.json)?$/],
  [
    "tool",
    /(^|\/)(jest[^/]*\.json|\.?babelrc(\.json)?|babel\.config\.json|\.prettierrc(\.json)?|\.mocharc\.jsonc?|\.swcrc|\.lintstagedrc|\.stylelintrc(\.json)?)$/,
  ],
  [
    "settings",
    /(^|\/)(\.(?!oxlint)[\w-]+rc\.(json[c5]?|ya?ml|toml)|\.(?:spectral|htmlvalidate|solhint|markdownlint-cli2|cspell|release-it|xo-config)\.(?:jsonc?|ya?ml)|(?:cspell(?:\.config)?|cucumber|redocly|tsdoc|nest-cli)\.(?:jsonc?|ya?ml)|\.(browserslist|commitlint|release|postcss|graphql|nyc|c8|tap|remark|textlint)rc|(?:typedoc|api-extractor|biome|tslint)[^/]*\.jsonc?|app\.json|(graphql-)?codegen[^/]*\.(ya?ml|json)|[\w-]+\.config\.(?:jsonc?|ya?ml)|(turbo|project|nx|angular)\.jsonc?|moon\.ya?ml)$/,
  ],
  ["style.sass", /\.s[ac]ss$/],
  ["style.less", /\.less$/],
  ["style.stylus", /\.styl(us)?$/],
  ["style", /\.(css|pcss|postcss)$/],
  // A README, a changelog and their like are for people.
  [
    "page",
    /(^|\/)(?![A-Z][A-Z0-9_.-]*\.(?:md|rst|adoc)$)[^/]+\.(md|markdown|rst|adoc)$/,
  ],
  ["mdx", /\.mdx$/],
  ["markup", /\.(astro|vue|svelte|html?|sol|coffee|marko|gts|gjs)$/],
  ["dotenv", /(^|\/)\.env(?!rc$)[^/]*$/],
  // Outside of packages, by the usual names of folders.
  [
    "image",
    /^(?:\.?(?:docker|deploy|build|ci|infra|images?)\/)?(?:[\w-]+\.)?(?:Docker|Container)file(?:\.[\w-]+)?$/,
  ],
  [
    "shell",
    /(^|\/)(?:(?:GNU)?[Mm]akefile|\.?[Jj]ustfile|(?:[\w-]+\.)?(?:Docker|Container)file(?:\.[\w-]+)?|(?:Earth|Proc)file|[^/]+\.(?:sh|bash|zsh|ksh|mk|just))$/,
  ],
  // Programs and settings without an ending: `bin/run`, `.releaserc`.
  ["nameless", /(^|\/)(?!\.?[A-Za-z]+file$)(\.[^./]+rc|[^./]+)$/],
  // Any other text, in any language, may name files.
  ["text", ANYTHING_ELSE],
] as const satisfies readonly (readonly [string, RegExp])[];

/**
 * Yarn's own files: bundled programs (also in templates), and tables that Yarn makes from manifests and yarn.lock. They read everything in the
 * workspace, and their paths aren't about its sources. The same holds for lockfiles of npm and pnpm, for files that commit messages mention, which some
 * release tools store as JSON, for lists of ignored files (`.prettierignore`) or of owners, for licences, and for `.editorconfig`, whose patterns only
 * select files. `.ocularrc.js` of visgl's tools names folders for commands that only the root runs.
 */
const NOT_ABOUT_SOURCES =
  /(^|\/)(CHANGELOG\.json$|\.ocularrc\.[cm]?js$|(?:package-lock|npm-shrinkwrap)\.json$|pnpm-lock\.yaml$|CODEOWNERS$|(?:(?:UN)?LICEN[CS]E|NOTICE|COPYING|AUTHORS|CONTRIBUTORS|PATENTS)(?:[-_][\w-]+)?$|\.editorconfig$|\.yarn\/(releases|plugins\/@yarnpkg|cache|unplugged|versions)\/|\.pnp\.(c?js|loader\.mjs)$|yarn-\d[\w.-]*\.c?js$)|ignore$(?<=(^|\/)[\w.-]*)/;

type SourceEnding = (typeof SOURCE_ENDINGS)[number];

const BY_ENDING: ReadonlyMap<string, SourceEnding> = new Map(
  SOURCE_ENDINGS.map((ending) => [ending, ending]),
);

/** The kinds of programs in JavaScript and TypeScript, of which some are settings. */
export type ProgramKind =
  | SourceEnding
  | `settings.${(typeof SETTINGS_ENDINGS)[number]}`
  | `settings.${LoadedSettings}.ts`
  | "settings.babel.js"
  | "settings.eslintrc.js"
  | "settings.eslintrc.cjs";

/** A key of how a file is read. Two files with the same bytes and the same kind have the same facts. */
export type FileKind = (typeof KINDS)[number][0] | ProgramKind | "symlink";

/**
 * Returns how a file is read.
 * @param mode git's six digits
 * @returns undefined for a file that isn't read
 */
export function fileKind(path: string, mode: string): FileKind | undefined {
  if (mode === "120000") return "symlink";
  if (mode === "160000" || NOT_ABOUT_SOURCES.test(path)) return undefined;
  // Most files are sources, and this function is called for each file of a tree.
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const source = BY_ENDING.get(ending);
  if (source === undefined)
    return KINDS.find(([, names]) => names.test(path))?.[0];
  if (path.endsWith(`.d.${ending}`))
    return BY_ENDING.get(`d.${ending}`) ?? source;
  if (COMPILED_SETTINGS.test(path)) return "settings.babel.js";
  if (source === "js" || source === "cjs")
    if (OLD_ESLINT.test(path)) return `settings.eslintrc.${source}`;
  const settings = SETTINGS_ENDINGS.find((known) => known === source);
  if (!settings || !isSettings(path)) return source;
  const tool = LOADED_SETTINGS.exec(path)?.[1] as LoadedSettings | undefined;
  return tool ? `settings.${tool}.ts` : `settings.${settings}`;
}
