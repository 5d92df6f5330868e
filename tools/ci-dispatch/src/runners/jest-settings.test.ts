import { expect, test } from "@jest/globals";
import { shownSettings } from "./settings.test.kit.js";
import { parseJestSettings } from "./jest-settings.js";
import { settingsCommand } from "./settings-command.js";

const covered = { collectCoverage: true, coverageReporters: ["json", "lcov"] };

test.each<[string, string, readonly string[]]>([
  ["nothing", shownSettings(), []],
  ["a bail", shownSettings({ bail: 3 }), ["bail"]],
  [
    "a threshold",
    shownSettings({ ...covered, coverageThreshold: { global: { lines: 1 } } }),
    ["coverageThreshold"],
  ],
  [
    "a threshold without coverage, which Jest does not look at",
    shownSettings({ coverageThreshold: { global: { lines: 1 } } }),
    [],
  ],
  [
    "an empty threshold",
    shownSettings({ ...covered, coverageThreshold: {} }),
    [],
  ],
  ["coverage alone", shownSettings(covered), []],
  [
    "a coverage report of somebody's own",
    shownSettings({
      ...covered,
      coverageReporters: ["text", ["/ws/gate.js", {}]],
    }),
    ["coverageReporters"],
  ],
  [
    "a teardown",
    shownSettings({ globalTeardown: "/ws/t.js" }),
    ["globalTeardown"],
  ],
  [
    "a teardown of the second project",
    shownSettings({ globalTeardown: null }, { globalTeardown: "/ws/t.js" }),
    ["globalTeardown"],
  ],
  [
    "reporters that only write",
    shownSettings({
      reporters: [
        ["default", {}],
        ["github-actions", {}],
        ["/ws/node_modules/jest-junit/index.js", { outputName: "x" }],
      ],
    }),
    [],
  ],
  [
    "a reporter of somebody's own",
    shownSettings({ reporters: [["default", {}], ["/ws/jest-junit.js"]] }),
    ["reporters"],
  ],
  [
    "reporters that are no list",
    shownSettings({ reporters: "x" }),
    ["reporters"],
  ],
  [
    "a processor",
    shownSettings({ testResultsProcessor: "/ws/p.js" }),
    ["testResultsProcessor"],
  ],
  ["an order", shownSettings({ testSequencer: "/ws/s.js" }), ["testSequencer"]],
  ["shards of its own", shownSettings({ shard: { shardIndex: 1 } }), ["shard"]],
  [
    "a runner, and more",
    shownSettings({ bail: 1 }, { runner: "/ws/r.js" }),
    ["bail", "runner"],
  ],
])("judging the whole: %s", (_, printed, judging) => {
  expect(parseJestSettings(printed)).toEqual({ judging, failureExitCode: 1 });
});

test("settings are found among other lines; what is not there is not known", () => {
  const noisy = `(node:1) Warning\n${shownSettings({ testFailureExitCode: 4 })}\nbye\n`;
  expect(parseJestSettings(noisy)).toEqual({ judging: [], failureExitCode: 4 });
  for (const printed of [
    "",
    "command not found: jest\n",
    shownSettings().slice(0, -30),
    "{\n}\n",
    shownSettings().replace('"bail": 0,', ""),
    shownSettings({ testSequencer: null }),
    // Without a project, it is unknown what would run.
    `{\n"configs": [],\n${shownSettings().split("\n  ],\n")[1]}`,
  ])
    expect(parseJestSettings(printed)).toBeUndefined();
});

test.each([
  ["jest --ci", "jest --ci"],
  ["tsc -b && jest -t 'a && b' \"c;d\"", "jest -t 'a && b' \"c;d\""],
  [
    "cd sub && tsc; CI=1\nexport A=2; jest",
    "cd sub && CI=1 && export A=2 && jest",
  ],
  ["tsc || jest", undefined],
  ["tsc | jest", undefined],
  ["serve & jest", undefined],
  ["(cd sub; jest)", undefined],
  ["jest $(cat files)", undefined],
  ["jest 'open", undefined],
])("the settings of %s", (command, expected) => {
  expect(settingsCommand(command)).toBe(expected);
});
