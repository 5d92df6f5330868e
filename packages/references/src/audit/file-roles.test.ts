import { describe, expect, test } from "@jest/globals";
import {
  isDevelopmentFile,
  isData,
  isForAuthors,
  looksBundled,
} from "./file-roles.js";

test.each([
  ["test/fixtures/a/output.js", true],
  ["src/__testfixtures__/a.js", true],
  ["fixture/a.js", true],
  ["templates/app/src/index.ts", true],
  ["src/templates/button.ts", false],
  ["src/fixtures.ts", false],
  ["src/index.ts", false],
])("%s is data: %s", (path, is) => {
  expect(isData(path)).toBe(is);
});

test.each([
  ["testing/setup-jest.builders.ts", true],
  ["src/setupTests.ts", true],
  ["jest-setup.js", true],
  ["test-environment.js", true],
  ["src/vitest.setup.ts", true],
  ["src/testing.ts", false],
  ["src/setup-checker.ts", false],
  ["src/jest-runner.ts", false],
])("dependents don't use %s: %s", (path, is) => {
  expect(isDevelopmentFile(path)).toBe(is);
});

describe("a file that only the package's authors use", () => {
  test.each<[string, Readonly<Record<string, unknown>>, boolean]>([
    ["scripts/update.ts", {}, true],
    ["scripts/update.ts", { files: ["lib"] }, true],
    ["examples/a/index.ts", { private: true }, true],
    ["scripts/update.ts", { files: ["lib", "./scripts/"] }, false],
    ["tools/a.js", { bin: { a: "./tools/a.js" } }, false],
    ["scripts/a.js", { scripts: { postinstall: "node scripts/a.js" } }, false],
    ["scripts/a.js", { scripts: { build: "node scripts/a.js" } }, true],
    ["src/scripts/a.ts", {}, false],
    ["scripts.ts", {}, false],
    ["test.js", { files: ["dist"] }, true],
    ["serve.mjs", { files: ["dist"], main: "dist/index.js" }, true],
    ["index.js", { files: ["dist"], main: "dist/index.js" }, false],
    ["cli.js", { files: ["cli.js"] }, false],
    ["all.js", { files: ["*.js"] }, false],
    ["test.js", {}, false],
    ["test.ts", { files: ["dist"] }, false],
  ])("%s of %j: %s", (path, manifest, is) => {
    expect(isForAuthors(path, manifest)).toBe(is);
  });
});

describe("a package that looks bundled", () => {
  test.each<[Readonly<Record<string, unknown>>, boolean]>([
    [{}, false],
    [{ scripts: { build: "tsc -b" } }, false],
    [{ scripts: { build: "pkgroll --clean-dist" } }, true],
    [{ scripts: { build: "yarn clean && vite build" } }, true],
    [{ scripts: { bundle: "rnx-kit-scripts bundle" } }, true],
    [{ scripts: { build: "node ./node_modules/.bin/esbuild src" } }, true],
    [{ scripts: { dev: "vite" } }, false],
    [{ scripts: { lint: "eslint --ext .webpackrc" } }, false],
    [{ files: ["lib/**/*.d.ts", "lib/index.js"] }, true],
    [{ files: ["./babel.js", "./babel.js.map", "types.d.ts"] }, true],
    [{ files: ["lib"] }, false],
    [{ files: ["lib/index.js", "lib/cli"] }, false],
    [{ files: ["README.md"] }, false],
    [{ main: "./dist/bundle.js", files: ["dist"] }, true],
    [{ main: "./dist/index.js", files: ["dist"] }, false],
  ])("%j: %s", (manifest, is) => {
    expect(looksBundled(manifest)).toBe(is);
  });
});
