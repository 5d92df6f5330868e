import { expect, test } from "@jest/globals";
import {
  folderOfTsconfig,
  programsOfSettings,
  roleOf,
  settingsIn,
  settingsOfField,
} from "./unowned-rules.js";

const DERIVED = { effect: "nothing", why: "derived-from-lockfile" };
const YARN = { effect: "everything", role: "Yarn itself" };
const ENVIRONMENT = {
  effect: "everything",
  role: "the environment of every script",
};

test.each<[path: string, role: unknown]>([
  ...[
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".yarn/cache/a-npm-1.zip",
    ".yarn/unplugged/a/x.js",
    ".yarn/install-state.gz",
    ".yarn/build-state.yml",
  ].map((path): [string, unknown] => [path, DERIVED]),
  [".yarn/releases/yarn-4.18.1.cjs", YARN],
  [".yarn/plugins/@yarnpkg/plugin-x.cjs", YARN],
  ...[
    ".nvmrc",
    ".node-version",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    ".config/mise/config.toml",
    ".npmrc",
    ".gitattributes",
    ".env",
    ".env.test",
    "../.nvmrc",
    "../../.tool-versions",
    "../.yarnrc.yml",
  ].map((path): [string, unknown] => [path, ENVIRONMENT]),
  [
    "skein.json",
    { effect: "everything", role: "the settings of this selection" },
  ],
  [
    "patches/a+1.0.0.patch",
    { effect: "everything", role: "patches of dependencies" },
  ],
  ...[
    ".env.example",
    ".env.local.sample",
    "packages/.npmrc",
    ".github/workflows/ci.yml",
    "jest.config.js",
    "scripts/tool.js",
    ".gitignore",
    "tsconfig.json",
    ".yarn/patches/a.patch",
    "README.md",
    "xenv",
    "Makefile",
    "../.env",
    "../other/.nvmrc",
    "../patches/a.patch",
  ].map((path): [string, unknown] => [path, undefined]),
])("the role of %s", (path, role) => expect(roleOf(path)).toEqual(role));

test.each<[path: string, found: readonly string[]]>([
  ["jest.config.mts", [". jest"]],
  ["packages/jest.config.js", ["packages jest"]],
  ["babel.config.json", [". babel"]],
  ["packages/.babelrc", ["packages babelrc"]],
  ["vitest.config.ts", [". vitest"]],
  ["vitest.workspace.ts", [". vitest"]],
  ["vite.config.ts", [". vite"]],
  ["eslint.config.js", [". eslint"]],
  [".eslintrc", [". eslint"]],
  [".eslintrc.cjs", [". eslint"]],
  [".eslintignore", [". eslint"]],
  ["prettier.config.cjs", [". prettier"]],
  [".prettierrc.yaml", [". prettier"]],
  [".prettierignore", [". prettierIgnored"]],
  ["webpack.config.js", [". webpack"]],
  ["rollup.config.mjs", [". rollup"]],
  ["tsup.config.ts", [". tsup"]],
  ["playwright.config.ts", [". playwright"]],
  ["cypress.config.ts", [". cypress"]],
  ["tailwind.config.js", [". tailwind"]],
  ["karma.config.js", [". karma"]],
  ["ava.config.js", [". ava"]],
  [".swcrc", [". swc"]],
  [".mocharc.yml", [". mocha"]],
  [".nycrc", [". coverage"]],
  [".c8rc.json", [". coverage"]],
  [".taprc", [". tap"]],
  [".browserslistrc", [". browserslist"]],
  [".stylelintrc.json", [". stylelint"]],
  [".oxlintrc.json", [". oxc"]],
  ["oxlint.json", [". oxc"]],
  ["biome.jsonc", [". biome"]],
  ["dprint.json", [". dprint"]],
  ["deno.jsonc", [". deno"]],
  ["__mocks__/fs.js", [". mocks"]],
  [".config/jest.json", [". anyTool"]],
  [".config/guardian/.gdnbaselines", []],
  ["Cargo.lock", [". cargo"]],
  ["packages/Cargo.toml", ["packages cargo"]],
  ["go.work.sum", [". go"]],
  ["pyproject.toml", [". python"]],
  ["Gemfile.lock", [". ruby"]],
  ["settings.gradle.kts", [". gradle"]],
  ["CMakeLists.txt", [". cmake"]],
  ["config/jest.config.js", []],
  ["jest.base.js", []],
  // Programs get the names of these as arguments.
  ["jest.preset.js", []],
  ["jest.setup.ts", []],
  ["native/Cargo.toml", []],
  ["jest.config", []],
  ["../jest.config.js", []],
])("the settings in %s", (path, found) =>
  expect(
    settingsIn(path, new Set(["packages"])).map(
      ({ folder, settings }) => `${folder} ${settings}`,
    ),
  ).toEqual(found),
);

test.each([
  ["jest", "jest"],
  ["eslintConfig", "eslint"],
  ["@parcel/resolver-default", "parcel"],
  ["wireit", "wireit"],
  ["sonar", "unknown"],
])("the settings in the field %s", (field, settings) =>
  expect(settingsOfField(field)).toBe(settings),
);

test.each<[path: string, folder: string | undefined]>([
  ["tsconfig.json", "."],
  ["jsconfig.json", "."],
  ["packages/tsconfig.json", "packages"],
  ["a/b/jsconfig.json", "a/b"],
  ["two\nlines/tsconfig.json", "two\nlines"],
  ["tsconfig.base.json", undefined],
  ["mytsconfig.json", undefined],
  ["tsconfig.json/x", undefined],
])("%s speaks for %s", (path, folder) =>
  expect(folderOfTsconfig(path)).toBe(folder),
);

/** The programs of a tool, by its name in the names of settings. */
const programsLike = (tool: string) =>
  ["", "-js", "-cli", "-kit", "-scripts"].map((end) => tool + end);

test.each<[path: string, found: unknown]>([
  ["svgo.config.js", [".", ...programsLike("svgo")]],
  ["packages/svgo.config.js", ["packages", ...programsLike("svgo")]],
  ["Gulpfile.babel.js", [".", ...programsLike("gulp")]],
  ["electron.vite.config.ts", [".", ...programsLike("electron-vite")]],
  ["web-ext-config.mjs", [".", ...programsLike("web-ext")]],
  ["app-config.yaml", [".", ...programsLike("app-config")]],
  [".ladle/config.mjs", [".", "ladle"]],
  ["infra/main.tf", ["infra", "terraform", "tofu"]],
  [".changeset/config.json", undefined],
  [".yarn/patches/x.patch", undefined],
  [".github/workflows/ci.txt", [".", "actionlint", "zizmor", "act"]],
  [".buckconfig", [".", "buck", "buck2", ...programsLike("buckconfig")]],
  ["Earthfile", [".", "earthly"]],
  ["pom.xml", [".", "mvn", "mvnd", "./mvnw", "../mvnw", "../../mvnw"]],
  [".moon/tasks/node.yml", [".", "moon"]],
  ["packages/supabase/config.toml", ["packages", "supabase"]],
  ["profile.js", [".", ...programsLike("pro")]],
  ["jest.config.js", undefined],
  ["a.moon/tasks.yml", ["a.moon", ...programsLike("tasks")]],
  ["package.json", undefined],
  ["../gulpfile.js", undefined],
])("the programs that look up %s", (path, found) => {
  const { folder, programs } = programsOfSettings(path) ?? {};
  expect(programs && [folder, ...programs]).toEqual(found);
});
