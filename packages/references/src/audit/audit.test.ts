import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import {
  buildHistory,
  type Files,
  gitIn,
  gitTestEnv,
  json,
  tempDir,
} from "@skein/testing";
import { readReferences } from "../read-references.js";
import { audit, isDevelopmentFile } from "./audit.js";
import { fixManifests } from "./fix.js";
import { problemsToJson, renderProblems } from "./render.js";

const FILES: Files = {
  "package.json": json({ name: "root" }),
  "tsconfig.json": "{}",
  "scripts/x.js": "",
  "packages/core/package.json": json({ name: "@m/core" }),
  "packages/core/data.json": "{}",
  "packages/core/jest-preset.js": "",
  "packages/kit/package.json": json({ name: "@m/kit" }),
  "packages/bad/package.json": json({
    name: "@m/bad",
    scripts: { build: "node ../../scripts/x.js" },
    jest: { preset: "../core" },
    devDependencies: { "@m/dev": "workspace:^" },
  }),
  "packages/bad/jest.config.js": `import "../../scripts/x.js";\n`,
  "packages/kit/src/index.ts": `import "../../../scripts/x.js";\n`,
  "packages/bad/tsconfig.json": json({
    extends: "../../tsconfig.json",
    compilerOptions: { paths: { "@m/core": ["../core/src/index.ts"] } },
  }),
  "packages/bad/link": { symlink: "../core/data.json" },
  "packages/bad/src/index.ts": `\timport { core } from "@m/core";\nimport "@m/dev";\nexport * from "../../core/src";\n`,
  "packages/bad/src/other.ts": `import "@m/core/deep";\nread("../../core/data.json"); read("../../core/absent.json");\n`,
  "packages/bad/src/index.test.ts": `import "@m/kit";\n`,
  "packages/dev/package.json": json({ name: "@m/dev" }),
};
const NAMES = ["core", "kit", "bad", "dev"];

const SHOWN = `
packages/bad/link:1:1: a symbolic link of @m/bad leads to a file of @m/core [symlink]
  hint: declare the package it belongs to

packages/bad/package.json:7:16: settings of @m/bad name a file of @m/core, which it does not declare [settings]
  7 |     "preset": "../core"
    |                ^~~~~~~
  hint: declare the package it belongs to

packages/bad/src/index.test.ts:1:9: @m/bad uses @m/kit and does not declare it [undeclared-dependency]
  1 | import "@m/kit";
    |         ^~~~~~
  fix:  packages/bad/package.json:11: in devDependencies: "@m/kit": "workspace:^"

packages/bad/src/index.ts:1:24: @m/bad uses @m/core and does not declare it [undeclared-dependency]
  1 |  import { core } from "@m/core";
    |                        ^~~~~~~
  also: packages/bad/src/other.ts:1:9
  fix:  packages/bad/package.json:13: in dependencies: "@m/core": "workspace:^"

packages/bad/src/index.ts:2:9: @m/bad needs @m/dev at run time and declares it in devDependencies only [only-dev-dependency]
  2 | import "@m/dev";
    |         ^~~~~~
  fix:  packages/bad/package.json:10: in dependencies: "@m/dev": "workspace:^"
  hint: name the package in affected.bundlesDependencies of skein.json, if it bundles what it depends on

packages/bad/src/index.ts:3:16: @m/bad loads a file of @m/core by its path [path-import]
  3 | export * from "../../core/src";
    |                ^~~~~~~~~~~~~~
  hint: import it by the package's name, or move the file into this package

packages/bad/src/other.ts:2:7: @m/bad names a file of @m/core, which it does not declare, in a string [path-string]
  2 | read("../../core/data.json"); read("../../core/absent.json");
    |       ^~~~~~~~~~~~~~~~~~~~
  hint: declare the package, so that a change of the file is seen without reading strings

packages/kit/src/index.ts:1:9: @m/kit loads a file of root by its path [path-import]
  1 | import "../../../scripts/x.js";
    |         ^~~~~~~~~~~~~~~~~~~~~
  hint: import it by the package's name, or move the file into this package
`;

test("every kind of problem: found, shown, written as JSON, mended", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: FILES }]);
  const graph = await readReferences({
    git: openGit({ cwd: dir.path, env: gitTestEnv }),
    tree: gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim(),
    workspaces: [
      { name: "root", dir: ".", declared: new Set() },
      ...NAMES.map((name) => ({
        name: `@m/${name}`,
        dir: `packages/${name}`,
        declared: new Set(name === "bad" ? ["@m/dev"] : []),
      })),
    ],
  });
  const texts = new Map(
    Object.entries(FILES).flatMap(([path, text]) =>
      typeof text === "string" ? [[path, text] as const] : [],
    ),
  );
  const manifests = new Map(
    NAMES.map((name) => {
      const path = `packages/${name}/package.json`;
      return [`@m/${name}`, { path, text: texts.get(path) ?? "" }];
    }),
  );
  const input = {
    graph,
    root: "root",
    manifests,
    isDevelopment: isDevelopmentFile,
    isBundled: () => false,
    paths: Object.keys(FILES),
  };
  const problems = audit(input);

  expect(`\n${renderProblems(problems, texts)}`).toBe(SHOWN);
  expect(audit({ ...input, isBundled: (name) => name === "@m/bad" })).toEqual(
    problems.filter(({ kind }) => kind !== "only-dev-dependency"),
  );

  expect(JSON.parse(problemsToJson(problems.slice(2, 3)))).toEqual({
    version: 1,
    problems: [
      {
        kind: "undeclared-dependency",
        workspace: "@m/bad",
        to: "@m/kit",
        places: [
          {
            file: "packages/bad/src/index.test.ts",
            line: 1,
            column: 9,
            kind: "import",
            specifier: "@m/kit",
            partial: false,
            from: "@m/bad",
            target: { kind: "package", name: "@m/kit" },
            to: "@m/kit",
          },
        ],
        fix: {
          path: "packages/bad/package.json",
          line: 11,
          field: "devDependencies",
          name: "@m/kit",
          range: "workspace:^",
        },
      },
    ],
  });

  expect(Object.fromEntries(fixManifests(problems, manifests))).toEqual({
    "packages/bad/package.json": json({
      name: "@m/bad",
      scripts: { build: "node ../../scripts/x.js" },
      jest: { preset: "../core" },
      devDependencies: { "@m/kit": "workspace:^" },
      dependencies: { "@m/core": "workspace:^", "@m/dev": "workspace:^" },
    }),
  });
});

test("nothing found says nothing", () => {
  expect(renderProblems([], new Map())).toBe("");
});
