import type { Workspace } from "../graph.js";
import { isWithin } from "../paths.js";
import type { Project } from "../project.js";
import { openFoldersAbove } from "./folders-above.js";
import { compileGlobs } from "./globs.js";

/** What a file that no package owns does by its role. */
export type UnownedRole =
  | {
      readonly effect: "nothing";
      readonly why: "ci-or-editor" | "derived-from-lockfile";
    }
  | { readonly effect: "everything"; readonly role: string };

interface Rule {
  readonly globs: readonly string[];
  readonly role: UnownedRole;
}

/** What they name says nothing of a package in JavaScript. */
const OTHER_LANGUAGE: UnownedRole = {
  effect: "everything",
  role: "another language's build of every folder below",
};

/** The first rule that matches counts; a file that none matches is judged by who refers to it. Globs from the root. */
const RULES: readonly Rule[] = [
  {
    // They say how CI starts, what bots do, how editors look, which hooks git runs and where it fetches submodules; what a
    // script does on a given checkout, they cannot change, unless it reads them: who names one is asked first.
    globs: [
      ".github/**",
      ".gitlab-ci.yml",
      ".gitlab/**",
      ".circleci/**",
      ".buildkite/**",
      ".travis.yml",
      "azure-pipelines*.y{,a}ml",
      ".{ado,azure-pipelines}/**",
      "{,.}appveyor.yml",
      "bitbucket-pipelines.yml",
      ".{cirrus,drone,mergify}.yml",
      "Jenkinsfile",
      "renovate.json{,5}",
      ".renovaterc{,.json,.json5}",
      "release-please-config.json",
      ".release-please-manifest.json",
      "{,.}codecov.y{,a}ml",
      ".vscode/**",
      ".idea/**",
      ".{zed,cursor,claude,devcontainer}/**",
      ".gitpod.yml",
      ".editorconfig",
      ".husky/**",
      "{,.}lefthook{,-local}.y{,a}ml",
      ".pre-commit-config.yaml",
      ".git-blame-ignore-revs",
      ".mailmap",
      ".gitmodules",
      ".yarn/sdks/**",
      ".yarn/versions/**",
      ".changeset/**",
    ],
    role: { effect: "nothing", why: "ci-or-editor" },
  },
  {
    // Written by `yarn install` from yarn.lock, and checked against its checksums.
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
      ".npmrc",
      ".gitattributes",
      ".env*",
    ],
    role: { effect: "everything", role: "the environment of every script" },
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
  {
    // Tools find these from any folder below, by walking up.
    globs: [
      "{jest,babel,vitest,vite,eslint,prettier,webpack,rollup,playwright,cypress,postcss,tailwind,karma,ava,tsup}.config.*",
      "vitest.workspace.*",
      ".config/**",
      "__mocks__/**",
      ".{babelrc,eslintrc,eslintignore,prettierrc,prettierignore,swcrc,mocharc,nycrc,c8rc,taprc,browserslistrc,stylelintrc,oxlintrc,oxfmtrc}{,.*}",
      "{biome,oxlint,dprint,deno}.json{,c}",
    ],
    role: {
      effect: "everything",
      role: "a tool's configuration for every folder below",
    },
  },
  {
    // A package that names one does not use it alone: Cargo, Go and the others find it by walking up.
    globs: [
      "Cargo.{toml,lock}",
      "rust-toolchain{,.toml}",
      ".cargo/**",
      "go.{mod,sum,work,work.sum}",
      "{pyproject,uv}.toml",
      "Gemfile{,.lock}",
      "{build,settings}.gradle{,.kts}",
      "gradle.properties",
      "CMakeLists.txt",
    ],
    role: OTHER_LANGUAGE,
  },
];

const compile = () =>
  RULES.map(({ globs, role }) => ({ matches: compileGlobs(globs), role }));
/** Made with the first file that no package owns. */
let compiled: ReturnType<typeof compile> | undefined;

/**
 * The role of a file by its path from the project's root; undefined where its name says nothing.
 * @param above folders that hold workspaces: what tools find in the root, they find there too
 */
export function roleOf(
  path: string,
  above: ReadonlySet<string>,
): UnownedRole | undefined {
  const name = nameOf(path, above);
  compiled ??= compile();
  return compiled.find(({ matches }) => matches(name))?.role;
}

/** The folder that gives a file its role, or the file's own name without its ending: who means the file, says that. */
export function placeOf(path: string, above: ReadonlySet<string>): string {
  const [place = ""] = nameOf(path, above).split("/");
  return place.replace(/(?<=.)\.\w+$/, "");
}

function nameOf(path: string, above: ReadonlySet<string>): string {
  const slash = path.lastIndexOf("/");
  return above.has(path.slice(0, slash)) ? path.slice(slash + 1) : path;
}

/** @returns which packages, the root aside, find a file that no package owns by walking up from their folder: none for most */
export function openFoundFromBelow(
  project: Project,
): (path: string) => readonly Workspace[] {
  const above = openFoldersAbove({ base: undefined, head: project });
  return (path) => {
    const role = roleOf(path, above());
    if (role?.effect !== "everything" || role === OTHER_LANGUAGE) return [];
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".";
    return project.packages.filter(
      ({ dir }) => dir !== "." && isWithin(dir, folder),
    );
  };
}

/** The folder of a tsconfig.json or jsconfig.json, `.` for the root's; undefined for any other file. */
export function folderOfTsconfig(path: string): string | undefined {
  const match = /^(?:([^]*)\/)?[tj]sconfig\.json$/.exec(path);
  return match ? (match[1] ?? ".") : undefined;
}
