import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import {
  buildHistory,
  type Files,
  gitIn,
  gitTestEnv,
  json,
  tempDir,
} from "@skein/testing";
import type {
  FoundReference,
  ReferenceGraph,
  ReferringWorkspace,
} from "./graph.js";
import { readReferences } from "./read-references.js";

const FILES: Files = {
  "package.json": json({ name: "root", workspaces: ["packages/*"] }),
  "tsconfig.json": json({ compilerOptions: {} }),
  "shared/asset.ts": `import "@m/theme";`,
  "shared/chain.ts": `export * from "./asset.js";`,
  "shared/data.json": "{}",
  "packages/theme/package.json": json({
    name: "@m/theme",
    main: "src/index.ts",
    exports: { "./*": "./src/*" },
  }),
  "packages/theme/src/index.ts": `export const id = 1;`,
  "packages/theme/src/open.test.ts": `import ".";`,
  "packages/by-name/package.json": json({ name: "@m/by-name" }),
  "packages/by-name/tsconfig.json": json({
    extends: "../../tsconfig.json",
    include: ["src"],
  }),
  "packages/by-name/src/index.ts": `\nimport { id } from "@m/theme/src/deep";`,
  "packages/by-path/package.json": json({ name: "@m/by-path" }),
  "packages/by-path/src/index.ts": `import { id } from "../../theme/src";`,
  "packages/declared/package.json": json({
    name: "@m/declared",
    dependencies: { "@m/theme": "workspace:^" },
  }),
  "packages/declared/src/index.ts": `import "@m/theme"; import "./a.js"; import "lodash";`,
  "packages/declared/src/a.ts": `export {};`,
  "packages/declared/src/a.test.ts": `import "./a"; import "@m/declared/src/index.js";`,
  "packages/linked/package.json": json({
    name: "@m/linked",
    scripts: {
      build: "node ../../shared/build.js -c ../../tsconfig.json",
      test: "node test/run.test.js",
    },
  }),
  "packages/linked/src/asset.ts": { symlink: "../../../shared/chain.ts" },
  "packages/linked/src/read.ts": `readFile(join(root, "../../shared/data.json")); const up = path.join(__dirname, "../../..");`,
  "packages/linked/test/run.test.js": `1`,
  // Here "tsconfig.json" means the package's own file, although baseUrl makes it an alias of the root's.
  "packages/aliased/package.json": json({
    name: "@m/aliased",
    scripts: { build: "tsc -p tsconfig.json" },
  }),
  "packages/aliased/tsconfig.json": `{ "extends": "../../shared/tsconfig.paths.json", /* why */ }`,
  "shared/tsconfig.paths.json": json({
    compilerOptions: {
      baseUrl: "..",
      paths: { "~theme/*": ["packages/theme/src/*"] },
    },
  }),
  "packages/aliased/src/index.ts": `import "~theme/index";`,
  "packages/plugins/package.json": json({ name: "@m/plugins" }),
  "packages/plugins/src/index.ts":
    "export const load = (name) => import(`../../nest/${name}/index.js`);",
  "packages/nest/inner/package.json": json({ name: "@m/inner" }),
  "packages/nest/inner/index.js": "1",
};

const workspaces: readonly ReferringWorkspace[] = [
  { name: "root", dir: ".", declared: new Set() },
  ...[
    "theme",
    "by-name",
    "by-path",
    "declared",
    "linked",
    "aliased",
    "plugins",
  ].map((name) => ({
    name: `@m/${name}`,
    dir: `packages/${name}`,
    declared: new Set(name === "declared" ? ["@m/theme"] : []),
  })),
  { name: "@m/inner", dir: "packages/nest/inner", declared: new Set<string>() },
];

let dir: Awaited<ReturnType<typeof tempDir>>;
let graph: ReferenceGraph;

beforeAll(async () => {
  dir = await tempDir();
  buildHistory(dir.path, [{ files: FILES }]);
  graph = await readReferences({
    git: openGit({ cwd: dir.path, env: gitTestEnv }),
    tree: gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim(),
    workspaces,
  });
});
afterAll(async () => {
  await dir[Symbol.asyncDispose]();
});

test("edges() returns an edge with its path for each undeclared reference to another package, and for each file of the root", () => {
  expect(
    graph
      .edges()
      .edges.map(
        ({ from, to, via }) =>
          `${from} -> ${to}: ${via.map(written).join(", ")}`,
      ),
  ).toEqual([
    '@m/by-name -> @m/theme: packages/by-name/src/index.ts:2:21 import "@m/theme/src/deep"',
    '@m/by-path -> @m/theme: packages/by-path/src/index.ts:1:21 import "../../theme/src"',
    '@m/plugins -> @m/inner: packages/plugins/src/index.ts:1:39 dynamic-import "../../nest/"',
    '@m/aliased -> @m/theme: packages/aliased/src/index.ts:1:9 import "~theme/index"',
    '@m/linked -> @m/theme: packages/linked/src/asset.ts:1:1 symlink "./../../../shared/chain.ts", shared/chain.ts:1:16 export "./asset.js", shared/asset.ts:1:9 import "@m/theme"',
    'root -> @m/theme: shared/asset.ts:1:9 import "@m/theme"',
    'root -> @m/theme: shared/chain.ts:1:16 export "./asset.js", shared/asset.ts:1:9 import "@m/theme"',
  ]);
});

test("crossings are the references that leave their package", () => {
  expect(
    graph
      .crossings()
      .map((crossing) => `${written(crossing)} -> ${crossing.to}`),
  ).toEqual([
    'packages/aliased/src/index.ts:1:9 import "~theme/index" -> @m/theme',
    'packages/aliased/tsconfig.json:1:15 extends "../../shared/tsconfig.paths.json" -> root',
    'packages/by-name/src/index.ts:2:21 import "@m/theme/src/deep" -> @m/theme',
    'packages/by-name/tsconfig.json:2:15 extends "../../tsconfig.json" -> root',
    'packages/by-path/src/index.ts:1:21 import "../../theme/src" -> @m/theme',
    'packages/declared/src/index.ts:1:9 import "@m/theme" -> @m/theme',
    'packages/linked/package.json:4:20 script "../../shared/build.js" -> root',
    'packages/linked/package.json:4:45 script "../../tsconfig.json" -> root',
    'packages/linked/src/asset.ts:1:1 symlink "./../../../shared/chain.ts" -> root',
    'packages/linked/src/read.ts:1:22 path-string "../../shared/data.json" -> root',
    'packages/plugins/src/index.ts:1:39 dynamic-import "../../nest/" -> root',
    'packages/plugins/src/index.ts:1:39 dynamic-import "../../nest/" -> @m/inner',
    'shared/asset.ts:1:9 import "@m/theme" -> @m/theme',
  ]);
});

describe("refersTo", () => {
  test.each<[path: string, ...expected: string[]]>([
    [
      "tsconfig.json",
      'packages/by-name/tsconfig.json:2:15 extends "../../tsconfig.json"',
      'packages/linked/package.json:4:45 script "../../tsconfig.json"',
    ],
    [
      "shared/data.json",
      'packages/linked/src/read.ts:1:22 path-string "../../shared/data.json"',
    ],
    ["shared/nowhere.ts"],
    [
      "packages/declared/src/a.ts",
      'packages/declared/src/a.test.ts:1:9 import "./a"',
      'packages/declared/src/index.ts:1:28 import "./a.js"',
    ],
    [
      "packages/theme/src/deep.tsx",
      'packages/by-name/src/index.ts:2:21 import "@m/theme/src/deep"',
      'packages/theme/package.json:5:13 entry "./src/"',
    ],
    [
      "packages/theme/src/gone/index.mjs",
      'packages/theme/package.json:5:13 entry "./src/"',
    ],
  ])("%s", (path, ...expected) => {
    expect(graph.refersTo(path).map(written)).toEqual(expected);
  });
});

describe("importersOf ignores references that only select a file", () => {
  test.each<[path: string, ...expected: string[]]>([
    ["packages/declared/src/a.test.ts"],
    ["packages/linked/test/run.test.js"],
    [
      "packages/declared/src/index.ts",
      'packages/declared/src/a.test.ts:1:23 import "@m/declared/src/index.js"',
    ],
    // A file imports by a path below the name, so it may get any file that the manifest exposes.
    [
      "packages/theme/src/open.test.ts",
      'packages/theme/package.json:5:13 entry "./src/"',
    ],
  ])("%s", (path, ...expected) => {
    expect(graph.importersOf(path).map(written)).toEqual(expected);
  });
});

test("packages that import a registry package without declaring it", () => {
  expect(graph.undeclaredImportersOf("lodash").map(written)).toEqual([
    'packages/declared/src/index.ts:1:45 import "lodash"',
  ]);
});

function written({
  file,
  line,
  column,
  kind,
  specifier,
}: FoundReference): string {
  return `${file}:${line}:${column} ${kind} "${specifier}"`;
}
