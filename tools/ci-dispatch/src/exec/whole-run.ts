import { judgingSettings } from "@skein/runner";
import { members } from "@skein/reporting/json";
import type { JsonObject } from "@skein/reporting/json";

/** What Jest's resolved settings say of running a part of its test files. */
export interface JestSettings {
  /** Names of the settings that judge a run as a whole; empty where each test file is judged by itself. */
  readonly judging: readonly string[];
  /** The exit code of a run whose tests failed. */
  readonly failureExitCode: number;
}

interface ShownSettings {
  readonly globalConfig: JsonObject;
  readonly configs: readonly JsonObject[];
}

/**
 * Parses what a script printed that was run with `--showConfig`. Pure.
 * @param printed may hold other lines before and after Jest's JSON
 * @returns undefined where it holds no settings of Jest
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

/** What changes the folder or the environment of the commands after it. */
const CHANGES_SHELL = /^(?:cd|export|unset)\s|^\w+=\S*$/;

/**
 * Makes the command that shows the settings of the Jest run at the end of a script, without what the script does
 * before it. Pure.
 * @returns undefined where more than commands in a row lead to it, such as a pipe
 */
export function settingsCommand(command: string): string | undefined {
  const parts = commandsInRow(command);
  const last = parts?.at(-1);
  if (!parts || last === undefined) return undefined;
  const before = parts.slice(0, -1).filter((part) => CHANGES_SHELL.test(part));
  return [...before, last].join(" && ");
}

/** The commands of a script between `&&`, `;` and line ends outside of quotes; undefined where others join them. */
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
  // A quote that nothing closes.
  if (read < script.length) return undefined;
  return [...parts, part.trim()];
}
