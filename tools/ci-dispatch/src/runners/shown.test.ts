import { expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@skein/testing";
import { PLAYWRIGHT, parsePlaywrightSettings } from "./playwright.js";
import { makeReporter } from "./playwright-reporter.js";
import { parseReport } from "./report.js";
import { VITEST } from "./vitest.js";
import { parseVitestSettings } from "./vitest-settings.js";

type Members = Readonly<Record<string, unknown>>;

/** Returns what our reporter wrote inside of Vitest 4.1.12, with changes. */
const vitest = (
  run: Members = {},
  more: Members = {},
  ...projects: readonly Members[]
) => {
  const shown = {
    globalSetup: [],
    isolate: true,
    pool: "forks",
    typecheck: { checker: "tsc", enabled: false },
    watch: false,
    coverage: { enabled: false, provider: "v8", reporter: [["text", {}]] },
  };
  return JSON.stringify({
    version: "4.1.12",
    run: { ...shown, ...run },
    projects: [{}, ...projects].map((project) => ({ ...shown, ...project })),
    given: [],
    configured: [{ name: "default", options: false }],
    ...more,
  });
};
const reporter = (name: string | null, options = false) => ({ name, options });
const covered = { enabled: true, provider: "v8", reporter: [["lcov", {}]] };

test.each<[string, string, readonly string[], readonly string[] | undefined]>([
  ["nothing", vitest(), [], ["default"]],
  ["a bail", vitest({ bail: 1 }), ["bail"], ["default"]],
  ["only coverage", vitest({ coverage: covered }), [], ["default"]],
  [
    "thresholds",
    vitest({ coverage: { ...covered, thresholds: { lines: 80 } } }),
    ["coverage.thresholds"],
    ["default"],
  ],
  [
    "thresholds without coverage",
    vitest({ coverage: { enabled: false, thresholds: { lines: 80 } } }),
    [],
    ["default"],
  ],
  [
    "a custom coverage provider",
    vitest({ coverage: { ...covered, provider: "custom", reporter: ["./x"] } }),
    ["coverage.provider", "coverage.reporter"],
    ["default"],
  ],
  [
    "settings of a project that concern several files",
    vitest(
      {},
      {},
      { globalSetup: ["/ws/s.ts"], isolate: false, pool: "./mine.js" },
      { poolOptions: { forks: { isolate: false } }, runner: "/ws/r.ts" },
      { typecheck: { enabled: true } },
    ),
    ["globalSetup", "isolate", "pool", "runner", "typecheck"],
    ["default"],
  ],
  [
    "a shard",
    vitest({ shard: { index: 1 }, changed: "main", mergeReports: "x" }),
    ["changed", "mergeReports", "shard"],
    ["default"],
  ],
  [
    "reporters with options",
    vitest({}, { configured: [reporter("dot"), reporter("junit", true)] }),
    [],
    ["dot", "junit"],
  ],
  [
    "options that an older version ignores",
    vitest({}, { version: "3.2.4", configured: [reporter("junit", true)] }),
    ["reporters"],
    undefined,
  ],
  [
    "a reporter of the settings, which ours would replace",
    vitest({}, { configured: [reporter("default"), reporter(null)] }),
    ["reporters"],
    undefined,
  ],
  [
    "a reporter of the command line, which stays in addition to ours",
    vitest({}, { given: [reporter("./gate.js")], configured: [] }),
    ["reporters"],
    [],
  ],
  ["no reporters", vitest({}, { configured: [] }), [], ["default"]],
])(
  "Vitest, settings that judge the whole run: %s",
  (_, shown, judging, reporters) => {
    expect(parseVitestSettings(shown)).toEqual({
      judging,
      failureExitCode: 1,
      ...(shown.includes('"enabled":true,"provider"') && {
        partArgs: ["--coverage.clean=false"],
      }),
      ...(reporters && { reporters }),
    });
  },
);

/** Returns what our reporter wrote inside of Playwright 1.65.0, with changes. */
const playwright = (more: Members = {}) =>
  JSON.stringify({
    globalSetup: false,
    globalTeardown: false,
    maxFailures: 0,
    reporters: ["list", "html"],
    shard: false,
    teardown: false,
    files: ["/ws/a.spec.ts"],
    ...more,
  });

test.each<[string, string, readonly string[]]>([
  ["nothing", playwright(), []],
  [
    "everything",
    playwright({
      globalSetup: true,
      globalTeardown: true,
      maxFailures: 1,
      reporters: ["./gate.ts"],
      shard: true,
      teardown: true,
    }),
    [
      "globalSetup",
      "globalTeardown",
      "maxFailures",
      "reporter",
      "shard",
      "teardown",
    ],
  ],
])("Playwright, settings that judge the whole run: %s", (_, shown, judging) => {
  expect(parsePlaywrightSettings(shown)).toEqual({
    judging,
    failureExitCode: 1,
    files: ["/ws/a.spec.ts"],
  });
});

test("an invalid answer, or one without files, is unknown, and then all files run", () => {
  for (const text of ["", "{}", "no", "[]"]) {
    expect(parseVitestSettings(text)).toBeUndefined();
    expect(parsePlaywrightSettings(text)).toBeUndefined();
  }
  expect(parsePlaywrightSettings(playwright({ files: [] }))).toBeUndefined();
  expect(VITEST.prepareRun("/temp", undefined, undefined)).toEqual({
    args: [],
    env: {},
    report: undefined,
  });
  const run = PLAYWRIGHT.prepareRun("/temp", undefined, undefined);
  expect(run.args).toEqual([]);
});

test("Playwright gets the full path of each file with any characters, and always at least one argument", () => {
  const files = ["/ws/a+[1] (x).spec.ts", "/ws/b.spec.ts"];
  const settings = { judging: [], failureExitCode: 1, files };
  const argsOf = (shard: string) => {
    const shards = [[shard]];
    const choice = { folder: "/ws", shards, mine: 0, only: true };
    return PLAYWRIGHT.prepareRun("/temp", choice, settings).args;
  };
  const [, path = ""] = argsOf("a+[1] (x).spec.ts");
  const pattern = new RegExp(path.slice(1, -1));
  expect(
    [...files, `${files[0]}x`, `/x${files[0]}`].filter((file) =>
      pattern.test(file),
    ),
  ).toEqual([files[0]]);
  const [, none = ""] = argsOf("gone.spec.ts");
  expect(files.some((file) => new RegExp(none.slice(1, -1)).test(file))).toBe(
    false,
  );
});

/** A test of Playwright, as its reporters get it. */
const testCase = (file: string, outcome: string, more: Members = {}) => ({
  parent: {
    type: "describe",
    allTests: () => [],
    parent: { type: "file", location: { file }, allTests: () => [] },
  },
  expectedStatus: "passed",
  results: [{ duration: 4, errors: [] }],
  outcome: () => outcome,
  titlePath: () => ["", "", "a.spec.ts", "sums", "adds"],
  ...more,
});

test.each<[string, readonly ReturnType<typeof testCase>[], object]>([
  [
    "a test that failed twice, and a skipped one",
    [
      testCase("/ws/a.spec.ts", "unexpected", {
        results: [
          { duration: 4, errors: [] },
          { duration: 5, errors: [{ stack: "no\n at /ws/a.spec.ts:7:1" }] },
        ],
      }),
      testCase("/ws/b.spec.ts", "skipped", { expectedStatus: "skipped" }),
    ],
    {
      failedTests: [
        {
          file: "a.spec.ts",
          line: 7,
          name: "sums › adds",
          message: "no\n at /ws/a.spec.ts:7:1",
        },
      ],
      failedFiles: ["a.spec.ts"],
      failedBeyond: false,
      files: { "a.spec.ts": 9, "b.spec.ts": 4 },
    },
  ],
  [
    "a test of another file that a failed set-up kept from running",
    [
      testCase("/ws/setup.ts", "unexpected"),
      testCase("/ws/b.spec.ts", "skipped", { results: [] }),
    ],
    { failedFiles: ["setup.ts"], failedBeyond: true },
  ],
  [
    "a test that a failure before it in its file kept from running",
    [
      testCase("/ws/a.spec.ts", "unexpected"),
      testCase("/ws/a.spec.ts", "skipped", { results: [] }),
    ],
    { failedFiles: ["a.spec.ts"], failedBeyond: false },
  ],
])("Playwright's report: %s", async (_, tests, expected) => {
  await using temp = await tempDir();
  const report = join(temp.path, "report.json");
  const reporting = new (makeReporter({ report }))();
  const suite = { type: "root", allTests: () => tests };
  reporting.onBegin({} as never, suite);
  reporting.onEnd({ status: "failed" });
  const text = await readFile(report, "utf8");
  expect(parseReport(text, "/ws")).toMatchObject(expected);
});
