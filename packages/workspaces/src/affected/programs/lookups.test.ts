import { expect, test } from "@jest/globals";
import { fieldReaders, openLookups, type Reader } from "./lookups.js";

const root = {
  fields: {
    name: "root",
    commitlint: { extends: ["@commitlint/config-conventional"] },
    jest: { preset: "ts-jest", setupFiles: ["<rootDir>/a\tb.js"] },
    devDependencies: { "@commitlint/config-conventional": "1", "ts-jest": "1" },
    dependenciesMeta: { "ts-jest": { built: true } },
    resolutions: { "ts-jest": "1.0.0" },
  },
};

/** Returns the fields whose readers count for a specifier. */
function fieldsWith(specifier: string): readonly string[] {
  const readersOfField = (field: string) => [{ workspace: { name: field } }];
  return fieldReaders(
    specifier,
    { readersOf: () => [], readersOfField: readersOfField as never },
    { root } as never,
  ).map(({ workspace }: Reader) => workspace.name);
}

test.each([
  ["ts-jest", ["jest"]],
  ["@commitlint/config-conventional", ["commitlint"]],
  // JSON writes a tab in another way, so the field isn't found; then any of them may contain it.
  ["a\tb.js", ["name", "commitlint", "jest"]],
])("settings that name %j are in %j", (specifier, fields) => {
  expect(fieldsWith(specifier)).toEqual(fields);
});

test.each([
  ["../.prettierrc", ["a"]],
  ["../../.prettierrc", ["a"]],
  ["../other/.prettierrc", []],
])("programs search the folders above the project for %s", (path, readers) => {
  const workspace = { name: "a", dir: "packages/a" };
  const lookups = openLookups(
    { packages: [workspace], graph: { workspaces: new Map() } } as never,
    {
      lookup: (_: string, settings: string) =>
        settings === "prettier" ? { spreads: false } : undefined,
      calls: () => undefined,
    } as never,
  );
  expect(lookups.readersOf(path).map((one) => one.workspace.name)).toEqual(
    readers,
  );
});
