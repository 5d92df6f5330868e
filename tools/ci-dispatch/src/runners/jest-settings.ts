import { judgingSettings } from "@skein/runner";
import { members, type JsonObject } from "@skein/reporting/json";
import type { RunSettings } from "./test-runner.js";

interface ShownSettings {
  readonly globalConfig: JsonObject;
  readonly configs: readonly JsonObject[];
}

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
    const shown = JSON.parse(
      lines.slice(first, last + 1).join("\n"),
    ) as ShownSettings;
    const { globalConfig, configs } = shown;
    const found = members(shown, "settings");
    const all = found.object("globalConfig");
    const runners = found.list("configs", (each) => each.text("runner"));
    all.number("bail");
    all.boolean("collectCoverage");
    all.text("testSequencer");
    if (runners.length === 0) return undefined;
    return {
      judging: judgingSettings(globalConfig, configs),
      failureExitCode: all.number("testFailureExitCode"),
    };
  } catch {
    return undefined;
  }
}
