import { judgingSettings } from "@skein/runner";
import * as json from "@skein/reporting/json";
import type { RunSettings } from "./test-runner.js";

/** The settings that all versions of Jest show. Without them, it isn't Jest's output. */
const knownSettings = json.object({
  globalConfig: json.object({
    bail: json.number,
    collectCoverage: json.boolean,
    testFailureExitCode: json.number,
    testSequencer: json.text,
  }),
  configs: json.list(json.object({ runner: json.text })),
});
const anySettings = json.object({
  globalConfig: json.byName(json.anything),
  configs: json.list(json.byName(json.anything)),
});

/**
 * Parses the output of a script that was run with `--showConfig`. Pure.
 * @param printed may have other lines before and after Jest's JSON
 * @returns undefined if it contains no settings of Jest
 */
export function parseJestSettings(printed: string): RunSettings | undefined {
  const lines = printed.split(/\r?\n/);
  const first = lines.indexOf("{");
  const last = lines.lastIndexOf("}");
  if (first < 0 || last < first) return undefined;
  try {
    const text = lines.slice(first, last + 1).join("\n");
    const { globalConfig } = json.parse(text, knownSettings, "settings");
    const shown = json.parse(text, anySettings, "settings");
    if (shown.configs.length === 0) return undefined;
    return {
      judging: judgingSettings(shown.globalConfig, shown.configs),
      failureExitCode: globalConfig.testFailureExitCode,
    };
  } catch {
    return undefined;
  }
}
