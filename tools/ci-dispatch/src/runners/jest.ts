import { join } from "node:path";
import { isHarmlessCoverage, isHarmlessReporter } from "@skein/runner";
import { parseJestSettings } from "./jest-settings.js";
import { ourModule } from "./our-module.js";
import type { SettingsTexts, TestRunner } from "./test-runner.js";
import { namesOf, openWords } from "./words.js";

const OWN =
  /^--(?:json|outputFile|shard|testSequencer|listTests|watch\w*|version)\b/;

/** Jest. Its test sequencer sees every test file that it has found, and chooses. */
export const JEST: TestRunner = {
  name: "jest",
  title: "Jest",
  program: /(?:^|[/\\])jest(?:\.[cm]?js)?$/,
  accepts: (args) => !args.some((arg) => OWN.test(arg)),
  settingsFiles: ["jest.config", "package.json"],
  manifestMember: "jest",
  findJudges: findJestJudges,
  asksFirst: false,
  prepareProbe: () => ({ args: ["--showConfig"], env: {}, answer: undefined }),
  parseSettings: parseJestSettings,
  prepareRun(folder, choice) {
    const report = join(folder, "report.json");
    const args = ["--json", `--outputFile=${report}`];
    if (!choice) return { args, env: {}, report };
    const sequencer = ourModule(
      folder,
      "jest-sequencer",
      JSON.stringify(choice),
    );
    // Jest calls the sequencer's `shard` only with `--shard`. If all files of a shard are gone, Jest finds no tests.
    return {
      args: [
        ...args,
        `--testSequencer=${sequencer.path}`,
        "--shard=1/1",
        "--passWithNoTests",
      ],
      env: {},
      report,
      module: sequencer,
    };
  },
};

/**
 * Finds the settings of Jest that judge a whole run in the text of a script and of its settings files. Pure.
 * @returns their names, in order; https://jestjs.io/docs/configuration describes them
 */
export function findJestJudges(texts: SettingsTexts): readonly string[] {
  const { hasFlag, isSet, listed } = openWords(texts);
  const covers =
    hasFlag(/\s--(?:coverage|collectCoverage)(?![\w-]|=false)/) ||
    isSet("collectCoverage");
  return namesOf([
    ["bail", hasFlag(/\s-b(?!\S)/) || isSet("bail")],
    [
      "coverageReporters",
      covers && !listed("coverageReporters").every(isHarmlessCoverage),
    ],
    ["coverageThreshold", covers && isSet("coverageThreshold")],
    ["globalTeardown", isSet("globalTeardown")],
    ["reporters", !listed("reporters").every(isHarmlessReporter)],
    ["runner", !listed("runner").every((name) => name === "jest-runner")],
    ["testResultsProcessor", isSet("testResultsProcessor")],
    ["testSequencer", isSet("testSequencer")],
  ]);
}
