/** Part of the kept index's key: raise it whenever any scanner finds something else than before. */
export const SCANNERS_VERSION = 23;

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

/**
 * The kinds of file that are read, each with the names it has; the first that matches counts. Apart from the scanners,
 * so that a run with nothing to read loads none of them.
 */
const KINDS = [
  ["manifest", /(^|\/)package\.json$/],
  // Also `base.json` in a folder of shared configurations.
  [
    "tsconfig",
    /(^|\/)[^/]*([tj]sconfig|ts-config|typescript-config)[^/]*(\/[^/]+)?\.json$/,
  ],
  [
    "tool",
    /(^|\/)(jest[^/]*\.json|\.?babelrc(\.json)?|babel\.config\.json|\.eslintrc(\.json)?|\.prettierrc(\.json)?|\.mocharc\.jsonc?|\.swcrc|\.lintstagedrc(\.json)?|\.stylelintrc(\.json)?)$/,
  ],
  [
    "settings",
    /(^|\/)(\.(?!oxlint)[\w-]+rc\.(json[c5]?|ya?ml|toml)|\.(browserslist|commitlint|release|postcss|graphql|nyc|c8)rc|typedoc[^/]*\.json|(graphql-)?codegen[^/]*\.(ya?ml|json)|graphql\.config\.(ya?ml|json)|(turbo|project)\.jsonc?)$/,
  ],
  ...SOURCE_ENDINGS.map(
    (ending) =>
      [ending, new RegExp(`\\.${ending.replace(".", "\\.")}$`)] as const,
  ),
  ["vue", /\.vue$/],
  ["svelte", /\.svelte$/],
  ["style", /\.(css|scss|sass|less|pcss|postcss)$/],
  ["markup", /\.(mdx|astro|html?|sol|coffee|marko)$/],
  [
    "text",
    /\.(json[c5]?|ya?ml|toml|sh|bash|zsh|graphql|gql|proto|prisma|gradle|groovy|kts|podspec|py|rb|rs|go|java|kt|swift|mm?|cc?|cpp|cxx|hh?|hpp|gypi?|cmake|ps1|bat|cmd|php|tf|sql|tex|lua|pl|cs|csproj|dart|ex|exs|bzl|bicep|nix|ini|cfg|conf|properties|xml|svg|pbxproj|xcconfig|ipynb|feature|http|glsl|wgsl|vert|frag|ejs|pug|hbs|handlebars|mustache|njk|liquid|twig|eta|haml|erb)$|(^|\/)((Docker|Make|Pod|Gem)file[^/]*|Justfile|CMakeLists\.txt|go\.(mod|work)|requirements[^/]*\.txt|\.env[^/]*)$/,
  ],
  // Programs and settings without an ending: `bin/run`, `.releaserc`.
  ["nameless", /(^|\/)(\.[^./]+rc|[^./]+)$/],
] as const satisfies readonly (readonly [string, RegExp])[];

/**
 * Yarn's own files: programs that it brings, bundled, and tables that it makes of manifests and yarn.lock. They read
 * whatever the workspace holds, and their paths are not about its sources. Nor are those that commit messages mention, which
 * some release tools keep as JSON.
 */
const NOT_ABOUT_SOURCES =
  /(^|\/)(CHANGELOG\.json$|\.yarn\/(releases|plugins\/@yarnpkg|cache|unplugged|versions)\/|\.pnp\.(c?js|loader\.mjs)$)/;

/** The kinds of which the ending tells: no name that comes before them in the table ends so. */
const BY_ENDING: ReadonlyMap<string, FileKind> = new Map(
  SOURCE_ENDINGS.filter((ending) => !ending.includes(".")).map((ending) => [
    ending,
    ending,
  ]),
);

/** A word for how a file is read. Two files with the same bytes and the same kind have the same facts. */
export type FileKind = (typeof KINDS)[number][0] | "symlink";

/**
 * How a file is read.
 * @param mode git's six digits
 * @returns undefined for a file that is not read
 */
export function fileKind(path: string, mode: string): FileKind | undefined {
  if (mode === "120000") return "symlink";
  if (mode === "160000" || NOT_ABOUT_SOURCES.test(path)) return undefined;
  // Most files are sources, and this is asked of each file of a tree.
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const source = path.endsWith(`.d.${ending}`)
    ? undefined
    : BY_ENDING.get(ending);
  return source ?? KINDS.find(([, names]) => names.test(path))?.[0];
}
