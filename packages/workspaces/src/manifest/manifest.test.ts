import { describe, expect, test } from "@jest/globals";
import { thrownBy } from "../memory-files.test.support.js";
import { ManifestError, parseManifest } from "./manifest.js";

const EMPTY = {
  name: undefined,
  dependencies: [],
  workspaces: [],
  resolutions: {},
  scripts: {},
};

test.each<[text: string, expected: unknown]>([
  ["{}", EMPTY],
  ["\uFEFF{}", EMPTY],
  ['{ "name": "" }', EMPTY],
  ['{ "name": 7, "dependencies": [], "workspaces": "packages/*" }', EMPTY],
  ['{ "name": "@m/a" }', { ...EMPTY, name: "@m/a" }],
  [
    '{ "workspaces": ["packages/*", 1, "!packages/x"] }',
    { ...EMPTY, workspaces: ["packages/*", "!packages/x"] },
  ],
  [
    '{ "workspaces": { "packages": ["a"], "nohoist": ["b"] } }',
    { ...EMPTY, workspaces: ["a"] },
  ],
  [
    '{ "scripts": { "test": "jest", "bad": 1 }, "resolutions": { "a/b": "1", "c": null } }',
    { ...EMPTY, scripts: { test: "jest" }, resolutions: { "a/b": "1" } },
  ],
  [
    '{ "peerDependencies": { "p": "^1" }, "peerDependenciesMeta": { "m": { "optional": true }, "p": {} }, "dependencies": { "a": "^1", "bad": {} }, "devDependencies": { "a": "2" }, "optionalDependencies": { "o": "workspace:*" } }',
    {
      ...EMPTY,
      dependencies: [
        { ident: "a", range: "^1", field: "dependencies" },
        { ident: "a", range: "2", field: "devDependencies" },
        { ident: "o", range: "workspace:*", field: "optionalDependencies" },
        { ident: "m", range: "*", field: "peerDependencies", isOptional: true },
        { ident: "p", range: "^1", field: "peerDependencies" },
      ],
    },
  ],
])("%s", (text, expected) => {
  const { fields, ...manifest } = parseManifest(text, "package.json");
  expect(manifest).toEqual(expected);
  expect(fields).toEqual(JSON.parse(text.replace("\uFEFF", "")));
});

describe("broken", () => {
  test.each<[text: string, line: number]>([
    ["", 1],
    ["\n\n", 3],
    ["[]", 1],
    ["null", 1],
    ['"text"', 1],
    ['{\n  "name": "a",\n}', 3],
    ['{\n  "name": "a"\n  "version": "1"\n}', 3],
    ['{\n  "name": "a",\n', 3],
    ['{\r\n  "name": "a",\r\n  oops\r\n}', 3],
    ["\uFEFF{\n\n  oops\n}", 3],
    ['{\n<<<<<<< HEAD\n  "name": "a"\n', 2],
    ['{ "name": "a" }\n}', 2],
    ['{\n  "name": "a\n}', 2],
    ['{\n  "name": oops,\n  "version": "1"\n}', 2],
  ])("%j is wrong in line %i", (text, line) => {
    const error = thrownBy(() =>
      parseManifest(text, "packages/a/package.json at 1a2b"),
    );
    expect(error).toBeInstanceOf(ManifestError);
    expect(error).toMatchObject({
      file: "packages/a/package.json at 1a2b",
      line,
    });
  });
});
