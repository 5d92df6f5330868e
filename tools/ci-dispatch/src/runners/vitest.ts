import { join } from "node:path";
import { isHarmlessCoverage } from "@skein/runner";
import { modulePath, ourModule, type OurModule } from "./our-module.js";
import type { SettingsTexts, TestRunner } from "./test-runner.js";
import {
  isHarmlessVitestReporter,
  parseVitestSettings,
} from "./vitest-settings.js";
import type { VitestTask } from "./vitest-reporter.js";
import { namesOf, openWords } from "./words.js";

/** Commands of Vitest other than `run`, and options that choose files or shards, or watch. */
const OWN_COMMANDS =
  /^(?:watch|dev|related|bench|init|list|--(?:watch|shard|merge-?reports|changed|standalone|ui|list-?tags|help|version)(?:=.*)?|-[wvh])$/i;

/**
 * Vitest 3 and later. Our reporter gets Vitest's own object before the first test, and makes its sequencer choose
 * among the files that Vitest has found.
 */
export const VITEST: TestRunner = {
  name: "vitest",
  title: "Vitest",
  program: /(?:^|[/\\])vitest(?:\.mjs)?$/,
  accepts: (args) => !args.some((arg) => OWN_COMMANDS.test(arg)),
  settingsFiles: ["vitest.config", "vite.config", "vitest.workspace"],
  findJudges: findVitestJudges,
  asksFirst: true,
  prepareProbe(folder) {
    const answer = join(folder, "settings.json");
    const self = reporterIn(folder, { settings: answer });
    const args = [`--reporter=${self.path}`];
    return { args, env: {}, answer, module: self };
  },
  parseSettings: parseVitestSettings,
  prepareRun(folder, choice, settings) {
    // Without the names of the reporters that ours replaces, the run keeps them and has no report.
    if (!settings?.reporters) return { args: [], env: {}, report: undefined };
    const report = join(folder, "report.json");
    const self = reporterIn(folder, {
      report,
      ...(choice && { choice }),
    });
    return {
      args: [
        ...settings.reporters.map((name) => `--reporter=${name}`),
        `--reporter=${self.path}`,
        // Vitest calls the sequencer's `shard` only with `--shard`, and names temporary files by its numbers.
        ...(choice
          ? [
              `--shard=${choice.mine + 1}/${choice.shards.length}`,
              "--passWithNoTests",
              ...(settings.partArgs ?? []),
            ]
          : []),
      ],
      env: {},
      report,
      module: self,
    };
  },
};

/** Returns the module with our reporter. */
function reporterIn(folder: string, task: Omit<VitestTask, "self">): OurModule {
  const self = modulePath(folder, "vitest-reporter");
  const whole = JSON.stringify({ ...task, self });
  return ourModule(folder, "vitest-reporter", `${whole}, process`);
}

/**
 * Finds the settings of Vitest that judge a whole run in the text of a script and of its settings files. Pure.
 * @returns their names, in order; https://vitest.dev/config/ describes them
 */
export function findVitestJudges(texts: SettingsTexts): readonly string[] {
  const { hasFlag, isSet, listed, matches } = openWords(texts);
  const covers =
    hasFlag(/\s--coverage(?:\.enabled)?(?![\w.-]|=false)/) ||
    matches(/\bcoverage["']?\s*:[^]*\benabled["']?\s*:\s*true/);
  return namesOf([
    ["bail", isSet("bail")],
    ["coverage.provider", covers && isSet("customProviderModule")],
    [
      "coverage.reporter",
      covers && !listed("reporter").every(isHarmlessCoverage),
    ],
    ["coverage.thresholds", covers && isSet("thresholds")],
    ["globalSetup", isSet("globalSetup")],
    [
      "isolate",
      hasFlag(/\s--(?:no-isolate|isolate=false)(?!\S)/) ||
        matches(/\bisolate["']?\s*:\s*false/),
    ],
    ["reporters", !listed("reporters").every(isHarmlessVitestReporter)],
    ["runner", isSet("runner")],
    ["typecheck", isSet("typecheck")],
  ]);
}
