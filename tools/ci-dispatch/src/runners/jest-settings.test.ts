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
    "a threshold without coverage, which Jest ignores",
    shownSettings({ coverageThreshold: { global: { lines: 1 } } }),
    [],
  ],
  [
    "an empty threshold",
    shownSettings({ ...covered, coverageThreshold: {} }),
    [],
  ],
  ["only coverage", shownSettings(covered), []],
  [
    "a custom coverage reporter",
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
    "a custom reporter",
    shownSettings({ reporters: [["default", {}], ["/ws/jest-junit.js"]] }),
    ["reporters"],
  ],
  [
    "reporters that aren't a list",
    shownSettings({ reporters: "x" }),
    ["reporters"],
  ],
  [
    "a results processor",
    shownSettings({ testResultsProcessor: "/ws/p.js" }),
    ["testResultsProcessor"],
  ],
  [
    "a sequencer",
    shownSettings({ testSequencer: "/ws/s.js" }),
    ["testSequencer"],
  ],
  ["a shard", shownSettings({ shard: { shardIndex: 1 } }), ["shard"]],
  [
    "a runner, and more",
    shownSettings({ bail: 1 }, { runner: "/ws/r.js" }),
    ["bail", "runner"],
  ],
])("settings that judge the whole run: %s", (_, printed, judging) => {
  expect(parseJestSettings(printed)).toEqual({ judging, failureExitCode: 1 });
});

test("settings are found among other lines, and are unknown if missing", () => {
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
