import { expect, test } from "@jest/globals";
import { unsafeSettings } from "./settings.js";

const run = {
  bail: 0,
  collectCoverage: false,
  openHandlesTimeout: 1000,
  testSequencer: "/ws/node_modules/@jest/test-sequencer/build/index.js",
};
const project = {
  runner: "/ws/node_modules/jest-runner/build/index.js",
  testRunner: "/ws/node_modules/jest-circus/build/runner.js",
};

const covered = (coverageProvider: string) => ({
  collectCoverage: true,
  coverageReporters: ["text"],
  coverageProvider,
});

// The settings that judge a whole run have their table of tests in ci-dispatch, which reads them too.
test.each<
  [
    string,
    Readonly<Record<string, unknown>>,
    readonly Readonly<Record<string, unknown>>[],
    readonly string[],
  ]
>([
  ["nothing", run, [project], []],
  ["a bail", { ...run, bail: 1 }, [project], ["bail"]],
  ["coverage by Babel", { ...run, ...covered("babel") }, [project], []],
  [
    "coverage by V8",
    { ...run, ...covered("v8") },
    [project],
    ["coverageProvider"],
  ],
  ["a set-up", run, [{ ...project, globalSetup: "/a.js" }], ["globalSetup"]],
  ["a forced end", { ...run, forceExit: true }, [project], ["forceExit"]],
  ["watching", { ...run, watchAll: true }, [project], ["watchAll"]],
  [
    "a runner of tests",
    run,
    [{ ...project, testRunner: "/ws/mine.js" }],
    ["testRunner"],
  ],
  ["projects of its own", run, [project, project], ["projects"]],
  [
    "a Jest that leaves a timer behind",
    { ...run, openHandlesTimeout: undefined },
    [project],
    ["openHandlesTimeout"],
  ],
])("%s needs a separate process", (_, all, projects, unsafe) => {
  expect(unsafeSettings(all, projects)).toEqual(unsafe);
});
