import { describe, expect, test } from "@jest/globals";
import { thrownBy } from "../memory-files.test.support.js";
import { parseSettings } from "./parse-settings.js";
import { SettingsError } from "./readers.js";
import { defaultSettings } from "./settings.js";

const { affected } = defaultSettings;

test.each<[text: string, settings: unknown]>([
  ["{}", defaultSettings],
  ["\uFEFF{}", defaultSettings],
  ['{ "$schema": "./x.json", "affected": {} }', defaultSettings],
  [
    '{ "defaultBranch": "trunk" }',
    { ...defaultSettings, defaultBranch: "trunk" },
  ],
  ['{ "workflow": "pr.yml" }', { ...defaultSettings, workflow: "pr.yml" }],
  [
    '{ "tags": { "@m/*": ["lib"] } }',
    { ...defaultSettings, tags: { "@m/*": ["lib"] } },
  ],
  [
    '{ "migrate": { "protectedBranches": ["main"], "ownVersions": { "@m/*": ["react"] } } }',
    {
      ...defaultSettings,
      migrate: {
        protectedBranches: ["main"],
        ownVersions: { "@m/*": ["react"] },
      },
    },
  ],
  [
    '{ "pipeline": { "build": ["^build"], "test": { "dependsOn": ["build"] }, "lint": {} } }',
    {
      ...defaultSettings,
      pipeline: { build: ["^build"], test: ["build"], lint: [] },
    },
  ],
  [
    '{ "affected": { "ignore": ["x/**"], "documentation": [], "tests": ["t/**"], "rootDependencies": "root" } }',
    {
      ...defaultSettings,
      affected: {
        ...affected,
        ignore: ["x/**"],
        documentation: [],
        tests: ["t/**"],
        rootDependencies: "root",
      },
    },
  ],
  [
    '{ "affected": { "unowned": { "b/**": "nothing", "a/**": "everything", "c": ["@m/a"] } } }',
    {
      ...defaultSettings,
      affected: {
        ...affected,
        unowned: [
          ["b/**", "nothing"],
          ["a/**", "everything"],
          ["c", ["@m/a"]],
        ],
      },
    },
  ],
  [
    '{ "affected": { "bundlesDependencies": ["@m/cli"] } }',
    {
      ...defaultSettings,
      affected: { ...affected, bundlesDependencies: ["@m/cli"] },
    },
  ],
  [
    '{ "affected": { "inputs": { "build": ["**", "!docs/**"] }, "implicitDependencies": { "@m/*": ["core"] } } }',
    {
      ...defaultSettings,
      affected: {
        ...affected,
        inputs: { build: ["**", "!docs/**"] },
        implicitDependencies: { "@m/*": ["core"] },
      },
    },
  ],
])("%s", (text, settings) => expect(parseSettings(text)).toEqual(settings));

describe("wrong", () => {
  test.each<[text: string, error: string]>([
    ["[]", "1 : skein.json must be an object"],
    ["null", "1 : skein.json must be an object"],
    ['{\n  "afected": {}\n}', '2 afected: "afected" isn\'t a setting of Skein'],
    [
      '{\n  "affected": {\n    "ignored": []\n  }\n}',
      '3 affected.ignored: "affected.ignored" isn\'t a setting of Skein',
    ],
    ['{\n  "affected": []\n}', '2 affected: "affected" must be an object'],
    ['{ "workflow": "" }', '1 workflow: "workflow" must be a non-empty string'],
    [
      '{ "defaultBranch": 1 }',
      '1 defaultBranch: "defaultBranch" must be a non-empty string',
    ],
    [
      '{\n  "affected": {\n    "ignore": "x"\n  }\n}',
      '3 affected.ignore: "affected.ignore" must be a list of strings',
    ],
    [
      '{ "affected": { "tests": [1] } }',
      '1 affected.tests: "affected.tests" must be a list of strings',
    ],
    [
      '{\n  "affected": {\n    "rootDependencies": "all"\n  }\n}',
      '3 affected.rootDependencies: "affected.rootDependencies" must be "used" or "everything" or "root"',
    ],
    [
      '{\n  "affected": {\n    "unowned": {\n      "a.b/**": "some"\n    }\n  }\n}',
      '4 affected.unowned.a.b/**: "affected.unowned.a.b/**" must be "nothing", "everything" or a list of package names',
    ],
    [
      '{ "tags": { "a": "x" } }',
      '1 tags.a: "tags.a" must be a list of strings',
    ],
    [
      '{\n  "pipeline": {\n    "test": {\n      "dependOn": []\n    }\n  }\n}',
      '4 pipeline.test.dependOn: "pipeline.test.dependOn" isn\'t a setting of Skein',
    ],
    [
      '{\n  "pipeline": {\n    "^build": ["test"]\n  }\n}',
      '3 pipeline.^build: "pipeline.^build" has no effect: only a value can name the scripts of dependencies',
    ],
  ])("%j: %s", (text, expected) => {
    const error = thrownBy(() => parseSettings(text));
    expect(error).toBeInstanceOf(SettingsError);
    const { line, field, message } = error as SettingsError;
    expect(`${line} ${field}: ${message}`).toBe(expected);
  });

  test("the message about an unknown field lists the fields that are allowed there", () => {
    expect(
      thrownBy(() => parseSettings('{ "affected": { "test": [] } }')),
    ).toMatchObject({
      known: [
        "ignore",
        "unowned",
        "documentation",
        "tests",
        "inputs",
        "implicitDependencies",
        "rootDependencies",
        "evidence",
        "bundlesDependencies",
      ],
    });
  });

  test.each<[text: string, line: number]>([
    ['{\n  "workflow": "x",\n}', 3],
    ["", 1],
    ['{\n  "workflow": oops\n}', 2],
  ])("%j isn't JSON from line %i", (text, line) => {
    expect(thrownBy(() => parseSettings(text))).toMatchObject({
      line,
      field: "",
    });
  });
});
