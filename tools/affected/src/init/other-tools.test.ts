import { expect, test } from "@jest/globals";
import type { Look } from "./look.js";
import { planInit } from "./plan-init.js";
import { look, settings } from "./plan-init.test.support.js";

test.each<[string, Look, unknown, readonly string[]]>([
  [
    "Turborepo",
    look({
      "turbo.json": `{
        // as people write it
        "globalDependencies": ["tsconfig.*.json", ".env"],
        "tasks": {
          "build": { "dependsOn": ["^build", "$CI"], "inputs": ["$TURBO_DEFAULT$", "README.md", "$TURBO_ROOT$/x"] },
          "test": { "dependsOn": ["build", "@shop/lib#build", "@shop/gone#build", "//#lint"] },
          "@shop/app#test": { "dependsOn": ["build", "^build"] },
          "@shop/gone#test": { "dependsOn": ["build"] },
          "@shop/lib#test": {},
          "deploy": { "dependsOn": ["build"] },
        },
      }`,
      "app/turbo.json": "{}",
    }),
    {
      pipeline: {
        build: ["^build"],
        test: ["build", "@shop/lib#build"],
        "@shop/app#test": ["build", "^build"],
        "@shop/lib#test": [],
      },
      affected: {
        unowned: { "tsconfig.*.json": "everything" },
        inputs: { build: ["README.md"] },
      },
    },
    [
      "turbo.json: the input $TURBO_ROOT$/x of build is not imported: skein.json has no such glob",
      "turbo.json: test waits for //#lint, a task of the root, which is not imported",
      "turbo.json: app/turbo.json is not imported",
    ],
  ],
  [
    "Turborepo 1, where only `inputs` count",
    look({
      "turbo.json":
        '{"pipeline": {"test": {"dependsOn": ["^build"], "inputs": ["src/**", "!**/*.md"]}}}',
    }),
    {
      pipeline: { test: ["^build"] },
      affected: { inputs: { test: ["src/**", "!**/*.md"] } },
    },
    [
      "turbo.json: inputs of test replace Turborepo's default; in skein.json they add to it, so that more is selected",
    ],
  ],
  [
    "Turborepo, broken",
    look({ "turbo.json": "{" }),
    {},
    ["turbo.json: it is not JSON, and is not imported"],
  ],
  [
    "Nx",
    look({
      "nx.json": JSON.stringify({
        namedInputs: {
          default: ["{projectRoot}/**/*", "production"],
          production: [
            "default",
            "!{projectRoot}/**/*.md",
            "!{projectRoot}/?(*.)+(spec).ts",
          ],
        },
        targetDefaults: {
          build: {
            dependsOn: ["^build"],
            inputs: ["production", "^production", { env: "X" }],
          },
          test: {
            dependsOn: [
              { target: "build", dependencies: true },
              { target: "build", projects: ["library"] },
              { target: "build" },
              "library:build",
            ],
          },
        },
      }),
      "lib/project.json": '{"name": "library"}',
      "app/package.json":
        '{"nx": {"implicitDependencies": ["library", "!shop", "gone"]}}',
    }),
    {
      pipeline: {
        build: ["^build"],
        test: ["^build", "@shop/lib#build", "build"],
      },
      affected: {
        inputs: { build: ["!**/*.md"] },
        implicitDependencies: { "@shop/app": ["@shop/lib"] },
      },
    },
    [
      "nx.json: the input !?(*.)+(spec).ts of build is not imported: skein.json has no such glob",
      "nx.json: @shop/app has the implicit dependency !shop, which removes one; it is not imported",
    ],
  ],
  [
    "lage",
    look({
      "lage.config.js": `const build = ["^^build"];
module.exports = {
  pipeline: { build, test: { dependsOn: [\`build\`], inputs: ["**", "!docs/**"] }, ["computed" + 1]: [] },
  cacheOptions: { environmentGlob: ["package.json", "nothing/**", "!x"] },
  npmClient: require("child_process").execSync("touch pwned"),
};`,
    }),
    {
      pipeline: { build: ["^build"], test: ["build"] },
      affected: {
        unowned: { "package.json": "everything" },
        inputs: { test: ["!docs/**"] },
      },
    },
    [],
  ],
  [
    "lage as a TypeScript module, and computed",
    look({
      "lage.config.ts":
        "export default defineConfig({ pipeline: make() } satisfies C);",
    }),
    {},
    ["lage.config.ts: its pipeline is computed, and is not imported"],
  ],
  [
    "tests only in the root",
    look(
      {},
      { packages: [{ name: "shop", dir: ".", scripts: { test: "jest" } }] },
    ),
    { dispatch: { application: { test: "test" } } },
    [
      'only the root has a script "test", so each run executes all of it; "shards" in dispatch.application splits it over jobs',
    ],
  ],
  [
    "no remote",
    look({}, { isBranchFound: false, defaultBranch: "trunk" }),
    { defaultBranch: "trunk" },
    ['no remote names a default branch; "trunk" is assumed'],
  ],
])(
  "skein.json gets settings of other tools: %s",
  (_, asked, expected, notes) => {
    expect(settings(asked)).toEqual(expected);
    const ordinary = /^the metrics workflow|packages have a script "test"/;
    expect(
      planInit(asked).notes.filter((note) => !ordinary.test(note)),
    ).toEqual(notes);
  },
);
