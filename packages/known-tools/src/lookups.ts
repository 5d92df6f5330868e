import type { SettingsName, Tool } from "./tool.js";

/** The settings that a transpiler or bundler looks up for any program that loads it. */
export const COMPILES: readonly SettingsName[] = [
  "babel",
  "babelrc",
  "swc",
  "browserslist",
  "postcss",
  "tailwind",
  "anyTool",
];

/** The settings that ESLint, its parsers and its plug-ins load. */
export const LINTS: readonly SettingsName[] = [
  "eslint",
  "prettier",
  "babel",
  "babelrc",
  "browserslist",
  "anyTool",
];

/** Plug-ins of ESLint that look up settings of other programs. */
export const LINTS_WITH: NonNullable<Tool["looksUpWith"]> = {
  editorconfig: ["eslint-plugin-prettier", "prettier", "xo"],
  tailwind: [
    "eslint-plugin-tailwindcss",
    "eslint-plugin-better-tailwindcss",
    "eslint-plugin-readable-tailwind",
    "prettier-plugin-tailwindcss",
  ],
  turbo: ["eslint-plugin-turbo", "eslint-config-turbo"],
  nx: [
    "@nx/eslint-plugin",
    "@nx/eslint-plugin-nx",
    "@nrwl/eslint-plugin-nx",
    "@nx/eslint",
  ],
  spelling: ["@cspell/eslint-plugin"],
  webpack: ["eslint-import-resolver-webpack"],
  vite: ["eslint-import-resolver-vite"],
  storybook: ["eslint-plugin-storybook"],
  markdown: ["eslint-plugin-mdx", "eslint-mdx"],
  graphql: ["@graphql-eslint/eslint-plugin", "eslint-plugin-graphql"],
};

const MAVEN = ["mvn", "mvnd", "./mvnw", "../mvnw", "../../mvnw"] as const;

/** Settings with other names than their programs, each with the words that call these programs. */
export const CALLED_OTHERWISE: readonly (readonly [
  names: RegExp,
  programs: readonly string[],
])[] = [
  [
    /^(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/,
    ["compose", "docker-compose", "podman-compose"],
  ],
  [/^\.?justfile$/i, ["just"]],
  [/^taskfile(?:\.dist)?\.ya?ml$/i, ["task", "go-task"]],
  [/^rakefile(?:\.rb)?$/i, ["rake"]],
  [/^earthfile$/i, ["earthly"]],
  [/^module\.bazel$|^(?:workspace|build)(?:\.bazel)?$/i, ["bazel", "bazelisk"]],
  [/^tiltfile$/i, ["tilt"]],
  [/^noxfile\.py$/, ["nox"]],
  [/^build\.zig(?:\.zon)?$/, ["zig"]],
  [/^meson\.(?:build|options)$/, ["meson"]],
  [/^ansible\.cfg$/, ["ansible", "ansible-playbook", "ansible-lint"]],
  [/\.tf(?:vars)?$|^\.terraform\.lock\.hcl$/, ["terraform", "tofu"]],
  [/^serverless\./, ["sls"]],
  [/^\.?lighthouserc\./, ["lhci"]],
  [/^\.dependency-cruiser\./, ["depcruise", "depcruise-baseline"]],
  [/^web-test-runner\.config\./, ["wtr"]],
  [/^ecosystem\.config\./, ["pm2", "pm2-runtime"]],
  [/^vue\.config\./, ["vue-cli-service"]],
  [/^svelte\.config\./, ["svelte-check", "svelte-kit", "vite", "vitest"]],
  [/^(?:\.ember-cli|ember-cli-build\.[cm]?[jt]s)$/, ["ember"]],
  [/^capacitor\.config\./, ["cap"]],
  [/^nativescript\.config\./, ["ns", "tns"]],
  [/^package-scripts\./, ["nps"]],
  [/^\.umirc\./, ["max"]],
  [/^mcr\.config\./, ["monocart"]],
  [/^cliff\.toml$/, ["git-cliff"]],
  [/^\.pa11yci(?:\.|$)/, ["pa11y-ci"]],
  [/^codecept\.conf\./, ["codeceptjs"]],
  [/^forge\.config\./, ["electron-forge"]],
  [/^i18next-parser\.config\./, ["i18next"]],
  [/^pwa-assets\.config\./, ["pwa-assets-generator"]],
  [
    /^(?:flake|shell|default)\.nix$|^flake\.lock$/,
    ["nix", "nix-shell", "nix-build", "nix-instantiate"],
  ],
  [/^buf\.(?:work\.ya?ml|lock)$/, ["buf"]],
  [/^pulumi(?:\.[\w-]+)?\.ya?ml$/i, ["pulumi"]],
  [/^shopify(?:\.[\w-]+)+\.toml$/, ["shopify"]],
  [/^relay\.config\./, ["relay-compiler"]],
  [
    /^\.ocular(?:rc|\.config)\./,
    `bundle build lint test metrics publish clean bump`
      .split(" ")
      .map((name) => `ocular-${name}`),
  ],
  [/^\.svgrrc(?:\.|$)/, ["svgr", "@svgr/cli"]],
  [/^\.?biome\.jsonc?$/, ["ultracite"]],
  [
    /^\.editorconfig$/,
    ["editorconfig-checker", "ec", "eclint", "shfmt", "lintspaces", "ktlint"],
  ],
  [/^\.htmlvalidate\./, ["html-validate"]],
  [/^\.template-lintrc\./, ["ember-template-lint"]],
  [/^\.xo-config(?:\.|$)/, ["xo"]],
  [/^\.golangci\./, ["golangci-lint"]],
  [
    /^(?:pyproject\.toml|setup\.cfg|tox\.ini|\.flake8)$/,
    ["black", "flake8", "isort", "pylint", "pyright"],
  ],
  [/^pyrightconfig\.json$/, ["pyright", "basedpyright"]],
  [/^\.?mypy\.ini$/, ["mypy", "dmypy"]],
  [/^\.vale\.ini$/, ["vale"]],
  [/^pom\.xml$/, MAVEN],
  [
    /^(?:directory\.\w+\.(?:props|targets|rsp)|global\.json|nuget\.config|\.globalconfig)$/i,
    ["dotnet", "msbuild", "nuget"],
  ],
  [
    /^(?:analysis_options\.yaml|pubspec\.(?:yaml|lock)|melos\.yaml)$/,
    ["dart", "flutter", "melos"],
  ],
  [/^\.?phpcs\.xml(?:\.dist)?$/, ["phpcs", "phpcbf"]],
  [/^psalm\.xml(?:\.dist)?$/, ["psalm"]],
  [/^(?:\.releaserc(?:\..+)?|release\.config\..+)$/, ["semantic-release"]],
  [/^\.versionrc(?:\.|$)/, ["standard-version", "commit-and-tag-version"]],
  [/^\.ncurc(?:\.|$)/, ["ncu", "npm-check-updates"]],
  [/^foundry\.toml$/, ["forge"]],
  [/^\.buck(?:config|root)$/, ["buck", "buck2"]],
  [/^cucumber\.(?:[cm]?[jt]s|json|ya?ml)$/, ["cucumber-js"]],
  [/^(?:\.graphqlrc(?:\..+)?|graphql\.config\..+)$/, ["graphql-inspector"]],
];

/** Folders above a package whose files programs look up, each with the words that call these programs. */
export const FOLDERS_OF_PROGRAMS: readonly (readonly [
  folder: string,
  programs: readonly string[],
])[] = [
  [".github", ["actionlint", "zizmor", "act"]],
  [".moon", ["moon"]],
  [".mvn", MAVEN],
  ["mise-tasks", ["mise"]],
  [".mise", ["mise"]],
  ["supabase", ["supabase"]],
  ["_templates", ["hygen"]],
  ["prisma", ["prisma"]],
  ["fastlane", ["fastlane"]],
  ["src-tauri", ["tauri"]],
];

/** Files whose programs run something in the folders that they name, and also look for them in the folders above. */
export const RECIPES_ABOVE =
  /^(?:\.?justfile|(?:gulp|grunt|plop|knex)file\.[cm]?[jt]s|\.?mise\.toml|firebase\.json|buf(?:\.work)?\.yaml|skaffold\.ya?ml|taskfile(?:\.dist)?\.ya?ml|(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml)$/i;

/** Functions and classes of libraries that look up settings, with the library and the settings. */
export const LIBRARY_LOOKUPS: readonly (readonly [
  functions: RegExp,
  library: string,
  settings: readonly SettingsName[],
])[] = [
  [/^(?:resolveConfig(?:File)?|getFileInfo)$/, "prettier", ["prettier"]],
  [
    /^(?:ESLint|(?:Flat|Legacy)ESLint|CLIEngine|loadESLint)$/,
    "eslint",
    ["eslint"],
  ],
  [/^(?:lint|resolveConfig)$/, "stylelint", ["stylelint"]],
  [/^(?:start|create)Vitest$/, "vitest/node", ["vitest", "vite"]],
  [/^loadConfig(?:Sync)?$/, "graphql-config", ["graphql"]],
  [/^readNxJson$/, "@nx/devkit", ["nx"]],
];
