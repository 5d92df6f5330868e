import {
  CALLED_OTHERWISE,
  FOLDERS_OF_PROGRAMS,
  PACKAGE_MANAGERS,
  PLAIN_PROGRAMS,
  programsOf,
  RECIPES_ABOVE,
  SETTINGS_NAMES,
  settingsOf,
  type SettingsName,
} from "@skein/known-tools";
import { compileGlobs } from "../globs.js";

/** The effect of a file that no package owns, by its role only. */
export type UnownedRole =
  | { readonly effect: "nothing"; readonly why: "derived-from-lockfile" }
  | { readonly effect: "everything"; readonly role: string };

interface Rule {
  readonly globs: readonly string[];
  readonly role: UnownedRole;
}

const ENVIRONMENT_ROLE: UnownedRole = {
  effect: "everything",
  role: "the environment of every script",
};

/** Files that version managers, git and Yarn also find in the folders above the project. */
const FOUND_ABOVE =
  /^(?:\.nvmrc|\.node-version|\.tool-versions|\.?mise\.toml|\.prototools|\.gitattributes|\.yarnrc\.yml)$/;

/** Returns the name of a file in a folder above the project, `../x`; any other path is returned as it is. */
export function nameAbove(path: string): string {
  return path.replace(/^(?:\.\.\/)+(?=[^/]+$)/, "");
}

/** The first matching rule counts; any other file is judged by its possible readers. Globs are from the root. */
const RULES: readonly Rule[] = [
  {
    // `yarn install` writes them from yarn.lock, and checks them against its checksums.
    globs: [
      ".pnp.*",
      ".yarn/cache/**",
      ".yarn/unplugged/**",
      ".yarn/install-state.gz",
      ".yarn/build-state.yml",
    ],
    role: { effect: "nothing", why: "derived-from-lockfile" },
  },
  {
    globs: [".yarn/releases/**", ".yarn/plugins/**"],
    role: { effect: "everything", role: "Yarn itself" },
  },
  {
    globs: [
      ".nvmrc",
      ".node-version",
      ".tool-versions",
      "mise.toml",
      ".mise.toml",
      ".config/mise.toml",
      ".config/mise/**",
      ".prototools",
      ".npmrc",
      ".gitattributes",
      ".env*",
    ],
    role: ENVIRONMENT_ROLE,
  },
  {
    // patch-package finds them by their folder.
    globs: ["patches/**"],
    role: { effect: "everything", role: "patches of dependencies" },
  },
  {
    globs: ["skein.json"],
    role: { effect: "everything", role: "the settings of this selection" },
  },
];

const compileRules = () =>
  RULES.map(({ globs, role }) => ({ matches: compileGlobs(globs), role }));
/** Made for the first file that no package owns. */
let rules: ReturnType<typeof compileRules> | undefined;

/** Examples of such files, which people copy. Programs that compare them with the environment read those of their package. */
const EXAMPLE = /^\.env(?:\.[\w-]+)*\.(?:example|sample|template|dist)$/;

/** Returns the role of a file by its path from the project's root; undefined if its name doesn't determine one. */
export function roleOf(path: string): UnownedRole | undefined {
  if (path.startsWith("../"))
    return FOUND_ABOVE.test(nameAbove(path)) ? ENVIRONMENT_ROLE : undefined;
  if (EXAMPLE.test(path)) return undefined;
  rules ??= compileRules();
  return rules.find(({ matches }) => matches(path))?.role;
}

const compileSettings = () => ({
  any: compileGlobs(SETTINGS_NAMES.flatMap((name) => settingsOf(name).files)),
  groups: SETTINGS_NAMES.map((name) => ({
    name,
    matches: compileGlobs(settingsOf(name).files),
  })),
});
/** Made for the first question. Most files match none. */
let settings: ReturnType<typeof compileSettings> | undefined;

/** A folder that programs search, and the settings that they find in it. */
export interface FoundSettings {
  /** `.` for the root. */
  readonly folder: string;
  readonly settings: SettingsName;
}

/**
 * Returns the settings that a file contains for programs that search upwards from a package's folder.
 * @param path from the project's root
 * @param above folders that contain workspaces: programs search them on their way up to the root
 */
export function settingsIn(
  path: string,
  above: ReadonlySet<string>,
): readonly FoundSettings[] {
  if (path.startsWith("../")) return [];
  const { any, groups } = (settings ??= compileSettings());
  const folders = [
    ".",
    ...[...above].filter((dir) => path.startsWith(`${dir}/`)),
  ];
  return folders.flatMap((folder) => {
    const name = folder === "." ? path : path.slice(folder.length + 1);
    if (!any(name)) return [];
    return groups.flatMap((each) =>
      each.matches(name) ? [{ folder, settings: each.name }] : [],
    );
  });
}

/**
 * `.xrc`, `.xrc.json`, `x.config.js`, `x.conf.js`, `.x.yml`, `x.toml`, `.x`, `xfile.js`: most programs look up settings that are
 * called like them.
 */
const CALLED_LIKE =
  /^(?:\.([\w-]+)rc(?:\.\w+)?|\.?([\w-]+(?:\.[\w-]+)?)\.conf(?:ig)?\.\w+|([\w-]+)-config\.[cm]?[jt]s|[._]?([\w-]+)\.(?:json[c5]?|ya?ml|toml|hcl|properties)|\.([\w-]+)(?:\.[cm]?[jt]s)?|([A-Za-z]+)file(?:\.babel)?\.[cm]?[jt]s)$/;
/** Endings that the name of a program adds to the name of its tool: `drizzle-kit` looks up `drizzle.config.ts`. */
const PROGRAM_ENDS = ["", "-js", "-cli", "-kit", "-scripts"];
/** Names of files that aren't about a program, although scripts contain these words. */
const ANY_WORD =
  /^(?:build|ci|clean|config|data|dev|node|package|release|run|start|test)$/;

/** Programs that look up a file by its name. */
interface CalledPrograms {
  /** `.` for the root. */
  readonly folder: string;
  readonly programs: readonly string[];
  /** Whether the packages that the file names count as dependencies of those that run the program. */
  readonly passesOn: boolean;
}

/**
 * Returns the programs that look up a file because it has their name, or another one that only they know. The groups in the
 * table are found by `settingsIn`, but some of them have no program in it: `turbo`.
 */
export function programsOfSettings(path: string): CalledPrograms | undefined {
  if (path.startsWith("../")) return undefined;
  const whole = inFolderOfProgram(path);
  if (whole) return whole;
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? "." : path.slice(0, slash);
  const name = path.slice(slash + 1);
  const others = CALLED_OTHERWISE.flatMap(([names, programs]) =>
    names.test(name) ? programs : [],
  );
  const known = settingsIn(path, new Set([folder])).map(
    ({ settings }) => settings,
  );
  const alone = known.filter((group) => programsOf(group).size === 0);
  const [, ...forms] = CALLED_LIKE.exec(name) ?? [];
  // Of the forms, one has matched.
  const program = forms.join("").toLowerCase().replaceAll(".", "-");
  // `yarn.config.cjs` contains constraints, and scripts that begin with `yarn` don't read it.
  const isMeant =
    program !== "" &&
    known.length === 0 &&
    !PACKAGE_MANAGERS.has(program) &&
    !ANY_WORD.test(program);
  const called = isMeant ? PROGRAM_ENDS.map((end) => program + end) : [];
  const programs = [...others, ...alone, ...called];
  const passesOn = !alone.some((group) => settingsOf(group).listsTasks);
  return programs.length > 0 ? { folder, programs, passesOn } : undefined;
}

/** A folder with the settings of one program, by its name: `.config/mise/config.toml`, `.ladle/config.mjs`. */
const FOLDER_OF_CONFIG =
  /^(?:([^]*)\/)?\.(?:config\/|(?!(?:config|yarn|git\w*|vscode|node)\/))([\w-]+)\//;

/** Returns the programs that look up all files of a folder, if the path is in one. */
function inFolderOfProgram(path: string): CalledPrograms | undefined {
  const [, above = ".", program] = FOLDER_OF_CONFIG.exec(path) ?? [];
  if (program !== undefined && !PLAIN_PROGRAMS.has(program))
    return { folder: above, programs: [program], passesOn: true };
  for (const [folder, programs] of FOLDERS_OF_PROGRAMS) {
    const [, above] =
      new RegExp(`^(?:(.*)/)?${folder.replace(".", "\\.")}/`, "s").exec(path) ??
      [];
    if (above !== undefined || path.startsWith(`${folder}/`))
      return { folder: above ?? ".", programs, passesOn: true };
  }
  return undefined;
}

/** Returns whether the packages that a file names may count as dependencies of those whose programs look it up. */
export function mayPassOn(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return RECIPES_ABOVE.test(name) || SETTINGS_OF_ANY.test(name);
}

/** `.xrc`, `.xrc.json`, `x.config.js`, `.x.yml` */
const SETTINGS_OF_ANY =
  /^(?:\.[\w-]+rc(?:\.\w+)?|(?!yarn\.)[\w-]+\.config\.\w+|\.[\w-]+\.(?:json[c5]?|ya?ml|toml|[cm]?[jt]s))$/;

/** Files that programs and shells read in each folder above the one that they run in. */
const ENVIRONMENT =
  /^(?:\.env.*|\.npmrc|\.nvmrc|\.node-version|\.tool-versions|\.prototools|\.?mise\.toml|\.gitattributes|\.yarnrc\.yml)$/;

/** Returns the folder of a file that is the environment of scripts below it; undefined for any other file. */
export function folderOfEnvironment(path: string): string | undefined {
  const slash = path.lastIndexOf("/");
  return slash > 0 && ENVIRONMENT.test(path.slice(slash + 1))
    ? path.slice(0, slash)
    : undefined;
}

/**
 * Returns the settings that a field of the root's package.json contains; `unknown` for a field that no known program reads.
 */
export function settingsOfField(field: string): SettingsName {
  const found = SETTINGS_NAMES.find((name) =>
    settingsOf(name).fields?.some((known) =>
      known.endsWith("*")
        ? field.startsWith(known.slice(0, -1))
        : known === field,
    ),
  );
  return found ?? "unknown";
}

/** Returns the folder of a tsconfig.json or jsconfig.json, `.` for the root's; undefined for any other file. */
export function folderOfTsconfig(path: string): string | undefined {
  const match = /^(?:([^]*)\/)?[tj]sconfig\.json$/.exec(path);
  return match ? (match[1] ?? ".") : undefined;
}
