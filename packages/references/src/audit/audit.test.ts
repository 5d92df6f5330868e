import { describe, expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import {
  buildHistory,
  type Files,
  gitIn,
  gitTestEnv,
  json,
  tempDir,
} from "@skein/testing";
import type { Crossing } from "../graph.js";
import { readReferences } from "../read-references.js";
import { audit } from "./audit.js";
import { isDevelopmentFile } from "./file-roles.js";
import { fixManifests } from "./fix.js";
import { problemsToJson, renderProblems } from "./render.js";

const FILES: Files = {
  "package.json": json({ name: "root" }),
  "tsconfig.json": "{}",
  "scripts/x.js": "",
  "packages/core/package.json": json({ name: "@m/core" }),
  "packages/settings/package.json": json({ name: "@m/settings" }),
  "packages/settings/jest-preset.js": "",
  "packages/data/package.json": json({ name: "@m/data" }),
  "packages/data/data.json": "{}",
  "packages/linked/package.json": json({ name: "@m/linked" }),
  "packages/linked/data.json": "{}",
  "packages/kit/package.json": json({ name: "@m/kit" }),
  "packages/bad/package.json": json({
    name: "@m/bad",
    scripts: { build: "node ../../scripts/x.js" },
    jest: { preset: "../settings" },
    devDependencies: { "@m/dev": "workspace:^" },
  }),
  "packages/bad/jest.config.js": `import "../../scripts/x.js";\n`,
  "packages/kit/src/index.ts": `import "../../../scripts/x.js";\n`,
  "packages/bad/tsconfig.json": json({
    extends: "../../tsconfig.json",
    compilerOptions: { paths: { "@m/core": ["../core/src/index.ts"] } },
  }),
  "packages/bad/link": { symlink: "../linked/data.json" },
  "packages/bad/src/index.ts": `\timport { core } from "@m/core";\nimport "@m/dev";\nexport * from "../../core/src";\n`,
  "packages/bad/src/other.ts": `import "@m/core/deep";\nread("../../data/data.json"); read("../../data/absent.json");\n`,
  "packages/bad/src/index.test.ts": `import "@m/kit";\n`,
  "packages/dev/package.json": json({ name: "@m/dev" }),
  // Private packages aren't installed from the registry, so such a package may do the same.
  "packages/app/package.json": json({
    name: "@m/app",
    private: true,
    devDependencies: { "@m/dev": "workspace:^" },
  }),
  "packages/app/src/index.ts": `import "@m/dev";\nimport "../../../scripts/x.js";\n`,
};
const NAMES = [
  "core",
  "kit",
  "bad",
  "dev",
  "settings",
  "data",
  "linked",
  "app",
];

const SHOWN = `
packages/bad/link:1:1: a symbolic link of @m/bad leads to a file of @m/linked [symlink]
  hint: declare the package it belongs to

packages/bad/package.json:7:16: settings of @m/bad name a file of @m/settings, which it does not declare [settings]
  7 |     "preset": "../settings"
    |                ^~~~~~~~~~~
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

packages/bad/src/index.ts:2:9: @m/bad needs @m/dev at run time and declares it only in devDependencies [only-dev-dependency]
  2 | import "@m/dev";
    |         ^~~~~~
  fix:  packages/bad/package.json:10: in dependencies: "@m/dev": "workspace:^"
  hint: name the package in affected.bundlesDependencies of skein.json, if it bundles its dependencies

packages/bad/src/index.ts:3:16: @m/bad loads a file of @m/core by its path [path-import]
  3 | export * from "../../core/src";
    |                ^~~~~~~~~~~~~~
  hint: import it by the package's name, or move the file into this package

packages/bad/src/other.ts:2:7: @m/bad names a file of @m/data, which it does not declare, in a string [path-string]
  2 | read("../../data/data.json"); read("../../data/absent.json");
    |       ^~~~~~~~~~~~~~~~~~~~
  hint: declare the package, so that changes to the file are detected without searching strings

packages/kit/src/index.ts:1:9: @m/kit loads a file of root by its path [path-import]
  1 | import "../../../scripts/x.js";
    |         ^~~~~~~~~~~~~~~~~~~~~
  hint: import it by the package's name, or move the file into this package
`;

test("every kind of problem is found, printed, written as JSON and fixed", async () => {
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
        declared: new Set(/bad|app/.test(name) ? ["@m/dev"] : []),
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
    isTypeOnly: () => false,
    nested: new Map(),
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

  expect(
    Object.fromEntries(fixManifests(problems, manifests, new Map())),
  ).toEqual({
    "packages/bad/package.json": json({
      name: "@m/bad",
      scripts: { build: "node ../../scripts/x.js" },
      jest: { preset: "../settings" },
      devDependencies: { "@m/kit": "workspace:^" },
      dependencies: { "@m/core": "workspace:^", "@m/dev": "workspace:^" },
    }),
  });
});

test("without problems, the report is empty", () => {
  expect(renderProblems([], new Map())).toBe("");
});

describe("packages that need a dependency", () => {
  const manifest = (path: string, fields: object) => ({
    path,
    text: JSON.stringify(fields),
  });
  const manifests = new Map([
    ["root", manifest("package.json", { name: "root" })],
    [
      "a",
      manifest("packages/a/package.json", {
        name: "a",
        devDependencies: { dev: "workspace:*" },
      }),
    ],
    ["b", manifest("packages/b/package.json", { name: "b" })],
    ["dev", manifest("packages/dev/package.json", { name: "dev" })],
    ["outer", manifest("packages/package.json", { name: "outer" })],
  ]);
  const nested = new Map([
    [
      "packages/a/example",
      manifest("packages/a/example/package.json", {
        dependencies: { b: "1.0.0" },
      }),
    ],
    [
      "packages/a/demo",
      manifest("packages/a/demo/package.json", { name: "demo" }),
    ],
    [
      "packages/a/esm",
      manifest("packages/a/esm/package.json", { type: "module" }),
    ],
    // Above the workspaces, so it doesn't concern them.
    [
      "packages",
      manifest("packages/package.json", { dependencies: { b: "*" } }),
    ],
  ]);

  function problemsOf(
    file: string,
    to: string,
    more: Partial<Crossing> = {},
    isTypeOnly = false,
  ) {
    const crossing: Crossing = {
      ...{ file, line: 1, column: 1, kind: "import", specifier: to },
      ...{
        partial: false,
        from: "a",
        to,
        target: { kind: "package", name: to },
      },
      ...more,
    };
    const problems = audit({
      graph: { crossings: () => [crossing] },
      root: "root",
      manifests,
      nested,
      isDevelopment: isDevelopmentFile,
      isBundled: () => false,
      isTypeOnly: () => isTypeOnly,
      paths: ["packages/b/x.js"],
    });
    return problems.map((problem) =>
      "fix" in problem
        ? `${problem.kind}: ${problem.fix.field} of ${problem.fix.path}`
        : problem.kind,
    );
  }

  test("a computed path from the current directory is a string, not a setting", () => {
    const target = { kind: "path", path: "packages" } as const;
    const more = { kind: "cwd-path", partial: true, target } as const;
    expect(problemsOf("packages/a/src/x.ts", "b", more)).toEqual([
      "path-string",
    ]);
  });

  test.each<[string, string, string[]]>([
    [
      "packages/a/src/x.ts",
      "b",
      ["undeclared-dependency: dependencies of packages/a/package.json"],
    ],
    [
      "packages/a/x.test.ts",
      "b",
      ["undeclared-dependency: devDependencies of packages/a/package.json"],
    ],
    [
      "packages/a/scripts/x.ts",
      "b",
      ["undeclared-dependency: devDependencies of packages/a/package.json"],
    ],
    ["packages/a/scripts/x.ts", "dev", []],
    [
      "packages/a/src/x.ts",
      "dev",
      ["only-dev-dependency: dependencies of packages/a/package.json"],
    ],
    ["packages/a/test/fixtures/x.js", "b", []],
    ["packages/a/example/src/x.ts", "b", []],
    [
      "packages/a/demo/x.ts",
      "b",
      [
        "undeclared-dependency: devDependencies of packages/a/demo/package.json",
      ],
    ],
    ["packages/a/demo/x.ts", "dev", []],
    [
      "packages/a/esm/x.ts",
      "b",
      ["undeclared-dependency: dependencies of packages/a/package.json"],
    ],
  ])("%s imports %s: %j", (file, to, problems) => {
    expect(problemsOf(file, to)).toEqual(problems);
  });

  test("a name that `baseUrl` leads to a path is a path only if git has it", () => {
    const importOf = (name: string) => {
      const target = { kind: "path", path: `packages/b/${name}` } as const;
      return problemsOf("packages/a/src/x.ts", "b", {
        target,
        specifier: name,
      });
    };
    expect(importOf("lodash")).toEqual([]);
    expect(importOf("x")).toEqual(["path-import"]);
  });

  test("a package may use settings of the package that contains it", () => {
    const target = { kind: "path", path: "packages/tsconfig.json" } as const;
    const more = {
      kind: "extends",
      specifier: "../tsconfig.json",
      target,
    } as const;
    const file = "packages/a/tsconfig.json";
    expect(problemsOf(file, "outer", more)).toEqual([]);
    expect(problemsOf(file, "b", more)).toEqual(["settings"]);
  });

  test("imports of types need no dependency at run time", () => {
    expect(problemsOf("packages/a/src/x.ts", "dev", {}, true)).toEqual([]);
    expect(problemsOf("packages/a/src/x.ts", "b", {}, true)).toEqual([
      "undeclared-dependency: devDependencies of packages/a/package.json",
    ]);
    const target = { kind: "path", path: "scripts/types" } as const;
    const ofRoot = { target, specifier: "../../../scripts/types" };
    expect(problemsOf("packages/a/src/x.ts", "root", ofRoot, true)).toEqual([]);
    expect(problemsOf("packages/a/src/x.ts", "root", ofRoot)).toEqual([
      "path-import",
    ]);
  });

  test("a name in a program's table isn't a use of the package, but a name in its settings is", () => {
    const config = { kind: "config" } as const;
    expect(problemsOf("packages/a/src/x.ts", "b", config)).toEqual([]);
    expect(problemsOf("packages/a/jest.config.js", "b", config)).toHaveLength(
      1,
    );
    expect(problemsOf("packages/a/.babelrc.json", "b", config)).toHaveLength(1);
  });
});
