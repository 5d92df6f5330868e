import { expect, test } from "@jest/globals";
import { findJestJudges } from "./jest.js";
import { findPlaywrightJudges } from "./playwright.js";
import { findVitestJudges } from "./vitest.js";
import { configOf, loadedBy } from "./words.js";

test.each<[string, string, readonly string[], readonly string[]]>([
  ["nothing", "jest", [], []],
  [
    "flags that don't judge the run",
    "jest --ci --no-coverage --bail=0",
    [],
    [],
  ],
  ["a flag", "jest --bail", [], ["bail"]],
  ["a short flag", "jest -b", [], ["bail"]],
  [
    "a threshold without coverage",
    "rm -rf coverage && jest",
    ["coverageThreshold: { global: { lines: 80 } }"],
    [],
  ],
  [
    "a threshold with the flag",
    "jest --coverage",
    ['{ "coverageThreshold": { "global": {} } }'],
    ["coverageThreshold"],
  ],
  [
    "a threshold in another file than coverage",
    "jest",
    ["collectCoverage: true,", "({ coverageThreshold })"],
    ["coverageThreshold"],
  ],
  [
    "coverage of files, and an empty threshold",
    "jest --coverage",
    ['collectCoverageFrom: ["src"],\ncoverageThreshold: {},'],
    [],
  ],
  [
    "harmless reporters, with options",
    "jest --coverage --reporters=default",
    [
      'reporters: ["default", ["jest-junit", { outputDirectory: "x" }]],\ncoverageReporters: ["lcov", "text"],',
    ],
    [],
  ],
  [
    "custom reporters",
    "jest --coverage --reporters ./mine.js",
    ["coverageReporters: ['./mine.js']"],
    ["coverageReporters", "reporters"],
  ],
  [
    "a reporter in a list of several lines",
    "jest",
    ['reporters: [\n  "default",\n  ["./mine.js", {}],\n],'],
    ["reporters"],
  ],
  ["a computed list", "jest", ["reporters: all()"], ["reporters"]],
  ["a runner", "jest", ['runner: "jest-runner-eslint"'], ["runner"]],
  [
    "Jest's own runners",
    "jest",
    ['runner: "jest-runner", testRunner: "x"'],
    [],
  ],
  [
    "settings for the whole run",
    "jest --testResultsProcessor=x",
    ["globalTeardown: './end.js', testSequencer: './order.js'"],
    ["globalTeardown", "testResultsProcessor", "testSequencer"],
  ],
  [
    "the output of `jest --init`",
    "jest",
    [
      '// bail: 0,\n  // globalTeardown: "x",\n/* runner: "y"\n reporters: ["z"] */\nbail: false,\nglobalTeardown: undefined',
    ],
    [],
  ],
])("%s", (_what, command, files, judges) => {
  expect(findJestJudges({ command, files })).toEqual(judges);
});

test.each<[string, readonly string[], readonly string[]]>([
  ["vitest run --no-coverage", ["coverage: { thresholds: { lines: 9 } }"], []],
  [
    "vitest run --coverage",
    ['coverage: { thresholds: { lines: 9 }, reporter: ["text", "lcov"] }'],
    ["coverage.thresholds"],
  ],
  [
    "vitest",
    ['"coverage": { "enabled": true, "customProviderModule": "./mine" }'],
    ["coverage.provider"],
  ],
  [
    "vitest --no-isolate --bail=1",
    ["globalSetup: './db.ts', runner: './r', typecheck: { enabled: true }"],
    ["bail", "globalSetup", "isolate", "runner", "typecheck"],
  ],
  ["vitest", ["isolate: false, globalSetup: []"], ["globalSetup", "isolate"]],
  [
    "vitest --reporter=dot",
    ["reporters: ['default', ['junit', { outputFile: 'x' }]]"],
    [],
  ],
  ["vitest", ["reporters: ['default', './gate.js']"], ["reporters"]],
])("Vitest: %s with %j", (command, files, judges) => {
  expect(findVitestJudges({ command, files })).toEqual(judges);
});

test.each<[string, readonly string[], readonly string[]]>([
  [
    "playwright test --project=x",
    [
      "reporter: [['html', { open: 'never' }], ['list']], webServer: { command: 'serve' }, projects: [{ name: 'x', dependencies: ['setup'] }]",
    ],
    [],
  ],
  ["playwright test -x", [], ["maxFailures"]],
  [
    "playwright test",
    [
      "globalSetup: './s', globalTeardown: './t', maxFailures: 3, reporter: './gate.ts', shard: null, projects: [{ teardown: 'x' }]",
    ],
    ["globalSetup", "globalTeardown", "maxFailures", "reporter", "teardown"],
  ],
])("Playwright: %s with %j", (command, files, judges) => {
  expect(findPlaywrightJudges({ command, files })).toEqual(judges);
});

test.each([
  ["jest", undefined],
  ["jest --coverage", undefined],
  ["jest -c ../jest.config.js --ci", "../jest.config.js"],
  ["jest --config='x y/z.js'", undefined],
  ['jest --config="x.json"', "x.json"],
  [`jest --config='{"bail":1}'`, undefined],
])("the settings file of %s", (command, file) => {
  expect(configOf(command)).toBe(file);
});

test("settings load modules, presets and other settings", () => {
  const text = `
import base from "../jest.base.mjs";
// const gone = require("./gone");
const { shared } = require('@acme/jest');
module.exports = { preset: "ts-jest", projects: ["<rootDir>/a/jest.config.js"], roots: ["src"] };
`;
  expect(loadedBy(text)).toEqual([
    "../jest.base.mjs",
    "@acme/jest",
    "ts-jest",
    "<rootDir>/a/jest.config.js",
  ]);
});
