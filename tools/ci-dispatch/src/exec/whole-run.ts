import { judgingSettings } from "@skein/runner";
import { members } from "@skein/reporting/json";
import type { JsonObject } from "@skein/reporting/json";

/** The resolved settings of Jest that matter for running a part of its test files. */
export interface JestSettings {
  /** Names of the settings that judge a run as a whole; empty if each test file is judged by itself. */
  readonly judging: readonly string[];
  /** The exit code of a run whose tests failed. */
  readonly failureExitCode: number;
}

interface ShownSettings {
  readonly globalConfig: JsonObject;
  readonly configs: readonly JsonObject[];
}

/**
 * Parses the output of a script that was run with `--showConfig`. Pure.
 * @param printed may have other lines before and after Jest's JSON
 * @returns undefined if it contains no settings of Jest
 */
export function parseJestSettings(printed: string): JestSettings | undefined {
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

/** Commands that change the folder or the environment of the commands after them. */
const CHANGES_SHELL = /^(?:cd|export|unset)\s|^\w+=\S*$/;

/**
 * Returns the command that shows the settings of the Jest run at the end of a script, without the script's earlier
 * commands. Pure.
 * @returns undefined if the script isn't a plain sequence of commands, for example because of a pipe
 */
export function settingsCommand(command: string): string | undefined {
  const parts = commandsInRow(command);
  const last = parts?.at(-1);
  if (!parts || last === undefined) return undefined;
  const before = parts.slice(0, -1).filter((part) => CHANGES_SHELL.test(part));
  return [...before, last].join(" && ");
}

/** Splits a script into commands at `&&`, `;` and line ends outside of quotes; undefined for other operators. */
function commandsInRow(script: string): readonly string[] | undefined {
  const parts: string[] = [];
  let part = "";
  const tokens =
    /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|&&|\|\||[;&|\n()`]|[^'"\\&|;\n()`]+/gsy;
  let read = 0;
  for (const [token] of script.matchAll(tokens)) {
    read += token.length;
    if (["&&", ";", "\n"].includes(token)) {
      parts.push(part.trim());
      part = "";
    } else if (/^(?:\|\||[&|()`])$/.test(token)) return undefined;
    else part += token;
  }
  // A quote isn't closed.
  if (read < script.length) return undefined;
  return [...parts, part.trim()];
}
