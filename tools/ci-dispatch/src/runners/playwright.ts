import { join } from "node:path";
import * as json from "@skein/reporting/json";
import { chooseTests } from "./choose-tests.js";
import { ourModule } from "./our-module.js";
import type { PlaywrightTask } from "./playwright-reporter.js";
import type { RunSettings, SettingsTexts, TestRunner } from "./test-runner.js";
import { namesOf, openWords } from "./words.js";

/** Options with a value, which may be the next word: https://playwright.dev/docs/test-cli */
const WITH_VALUE =
  /^(?:--(?:add-reporter|browser|config|global-timeout|grep|grep-invert|max-failures|output|repeat-each|reporter|retries|timeout|trace|tsconfig|workers)|-[cgGj])$/;
/** Its values continue until the next option. */
const WITH_VALUES = "--project";
/** Options that don't change which files run. */
const PLAIN =
  /^(?:--(?:fail-on-flaky-tests|forbid-only|fully-parallel|headed|ignore-snapshots|no-deps|pass-with-no-tests|quiet)|-x|--(?:add-reporter|browser|config|global-timeout|grep|grep-invert|max-failures|output|project|repeat-each|reporter|retries|timeout|trace|tsconfig|workers)=.*|-[cgGj].+)$/;

/** Playwright's own reporters, which print or write files, and never fail a run: https://playwright.dev/docs/test-reporters */
const HARMLESS_REPORTERS = new Set([
  "blob",
  "dot",
  "failures",
  "github",
  "html",
  "json",
  "junit",
  "line",
  "list",
  "null",
]);

/**
 * Playwright. It lists its files, and gets the files to run as arguments. Our reporter, in addition to all others,
 * writes settings and results.
 */
export const PLAYWRIGHT: TestRunner = {
  name: "playwright",
  title: "Playwright",
  program: /(?:^|[/\\])playwright$|[/\\]@playwright[/\\]test[/\\]cli\.js$/,
  accepts: takesFiles,
  settingsFiles: ["playwright.config"],
  findJudges: findPlaywrightJudges,
  asksFirst: false,
  prepareProbe(folder) {
    const answer = join(folder, "settings.json");
    return {
      args: ["--list"],
      answer,
      ...withReporter(folder, { settings: answer }),
    };
  },
  parseSettings: parsePlaywrightSettings,
  prepareRun(folder, choice, settings) {
    const report = join(folder, "report.json");
    const reporter = withReporter(folder, { report });
    const files = settings?.files;
    if (!choice || !files) return { args: [], report, ...reporter };
    const tests = files.map((path) => ({ path }));
    const paths = chooseTests(tests, choice).map(({ path }) => exactly(path));
    return {
      // The option also ends the values of one before it, such as --project. Playwright ignores what follows `--`.
      args: ["--pass-with-no-tests", ...(paths.length > 0 ? paths : [NO_FILE])],
      report,
      ...reporter,
    };
  },
};

/** Returns whether a script's arguments name no files, so that further arguments choose them. */
function takesFiles([command, ...args]: readonly string[]): boolean {
  if (command !== "test") return false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === WITH_VALUES)
      while (at + 1 < args.length && !args[at + 1]?.startsWith("-")) at++;
    else if (WITH_VALUE.test(arg)) at++;
    else if (!PLAIN.test(arg)) return false;
  }
  return true;
}

/** A pattern that matches no path. Without arguments, all files would run. */
const NO_FILE = "/^(?!)/";

/** Returns the argument for one file: a regular expression, which Playwright searches for in the whole path. */
function exactly(path: string): string {
  return `/^${path.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$/`;
}

/** Returns our reporter, and the environment that adds it to those of the settings. */
function withReporter(folder: string, task: PlaywrightTask) {
  const module = ourModule(folder, "playwright-reporter", JSON.stringify(task));
  return { env: { PW_TEST_REPORTER: module.path }, module };
}

/** The settings that our reporter writes. */
const shownSettings = json.object({
  files: json.list(json.text),
  reporters: json.list(json.text),
  globalSetup: json.boolean,
  globalTeardown: json.boolean,
  maxFailures: json.number,
  shard: json.boolean,
  teardown: json.boolean,
});

/**
 * Parses the settings that our reporter wrote inside of Playwright. Pure.
 * @returns undefined if the text isn't one of its answers
 */
export function parsePlaywrightSettings(text: string): RunSettings | undefined {
  try {
    const shown = json.parse(text, shownSettings, "settings");
    const { files, reporters } = shown;
    if (files.length === 0) return undefined;
    return {
      judging: namesOf([
        // A set-up may return a teardown.
        ["globalSetup", shown.globalSetup],
        ["globalTeardown", shown.globalTeardown],
        ["maxFailures", shown.maxFailures > 0],
        ["reporter", !reporters.every((name) => HARMLESS_REPORTERS.has(name))],
        ["shard", shown.shard],
        ["teardown", shown.teardown],
      ]),
      failureExitCode: 1,
      files,
    };
  } catch {
    return undefined;
  }
}

/**
 * Finds the settings of Playwright that judge a whole run in the text of a script and of its settings files. Pure.
 * @returns their names, in order; https://playwright.dev/docs/api/class-testconfig describes them
 */
export function findPlaywrightJudges(texts: SettingsTexts): readonly string[] {
  const { hasFlag, isSet, listed } = openWords(texts);
  return namesOf([
    ["globalSetup", isSet("globalSetup")],
    ["globalTeardown", isSet("globalTeardown")],
    [
      "maxFailures",
      hasFlag(/\s(?:-x|--max-failures)(?![\w-]|=0)/) || isSet("maxFailures"),
    ],
    [
      "reporter",
      !listed("reporter").every((name) => HARMLESS_REPORTERS.has(name)),
    ],
    ["shard", isSet("shard")],
    ["teardown", isSet("teardown")],
  ]);
}
