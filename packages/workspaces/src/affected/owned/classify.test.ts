import { expect, test } from "@jest/globals";
import { defaultSettings } from "../../settings/settings.js";
import {
  openClassifier,
  scriptsBefore,
  withinOwner,
  type FileClass,
} from "./classify.js";

const inputs = {
  build: ["docs/**", "!src/**/*.snap", "!**/*.test.ts"],
  test: ["!**/*.md", "README.md"],
};
const settings = { ...defaultSettings.affected, inputs };

test("inputs of the scripts that run before count too, from package to package", () => {
  const classify = openClassifier(settings, "e2e", {
    e2e: ["^test", "@o/a#other"],
    test: ["^build"],
  });
  expect(
    ["docs/a.md", "README.md", "src/README.md", "LICENSE"].map(classify),
  ).toEqual(["source", "source", "source", "documentation"]);
});

test.each<[path: string, none: FileClass, build: FileClass, test: FileClass]>([
  ["src/a.ts", "source", "source", "source"],
  ["package.json", "source", "source", "source"],
  ["tsconfig.json", "source", "source", "source"],
  ["README.md", "documentation", "documentation", "source"],
  ["readme.MD", "source", "source", "source"],
  ["src/README.md", "source", "source", "not-an-input"],
  ["LICENSE", "documentation", "documentation", "documentation"],
  ["LICENSE-MIT", "documentation", "documentation", "documentation"],
  ["CHANGELOG.txt", "documentation", "documentation", "documentation"],
  ["docs/a/b.ts", "documentation", "source", "documentation"],
  ["docs", "documentation", "source", "documentation"],
  ["src/a.test.ts", "test", "not-an-input", "test"],
  ["src/a.spec.mjs", "test", "test", "test"],
  ["src/__tests__/x/y.json", "test", "test", "test"],
  ["src/__snapshots__/a.snap", "test", "not-an-input", "test"],
  ["docs/a.test.tsx", "test", "test", "test"],
  ["test/index.ts", "test", "test", "test"],
  ["test/fixtures/go/go.mod", "source", "source", "source"],
  ["test/fixtures/x/package.json", "source", "source", "source"],
  ["specs/button/tokens.yaml", "source", "source", "source"],
  ["cypress/e2e/x.cy.ts", "test", "test", "test"],
  ["src/a.stories.tsx", "test", "test", "test"],
  ["testing/index.ts", "source", "source", "source"],
  ["src/test.ts", "source", "source", "source"],
  ["src/.hidden/a.test.js", "test", "test", "test"],
  ["src/new\nline.test.ts", "test", "not-an-input", "test"],
  ["src/[id].ts", "source", "source", "source"],
])("%j is %s; to build %s; to test %s", (path, none, build, forTest) => {
  expect(
    [undefined, "build", "test"].map((script) =>
      openClassifier(settings, script)(path),
    ),
  ).toEqual([none, build, forTest]);
});

test("a script may be called like what every object has", () => {
  expect(openClassifier(settings, "constructor")("src/a.ts")).toBe("source");
});

test.each<[string | undefined, string | undefined, readonly string[]]>([
  [undefined, undefined, []],
  ["lint", undefined, []],
  // In some package.
  ["test", undefined, ["build", "gen", "db", "codegen"]],
  // In or for a package.
  ["test", "a", ["build", "codegen"]],
  ["test", "b", ["db"]],
  ["test", "c", ["build", "gen", "codegen"]],
  ["build", "a", ["codegen"]],
])("before %s in %s, the pipeline runs %j", (script, workspace, before) => {
  const pipeline = {
    test: ["build", "c#gen"],
    "b#test": ["db"],
    build: ["^build", "codegen"],
    "b#build": [],
  };
  expect(scriptsBefore(pipeline, script, workspace)).toEqual(before);
});

test.each([
  ["packages/a/src/x.ts", "packages/a", "src/x.ts"],
  ["x.ts", ".", "x.ts"],
  ["../x.ts", ".", "../x.ts"],
])("%s in %s is %s", (path, dir, within) =>
  expect(withinOwner(path, dir)).toBe(within),
);
