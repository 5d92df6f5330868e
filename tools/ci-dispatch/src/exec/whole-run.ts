import { members } from "../json.js";
import type { Members } from "../json.js";

/** What Jest's resolved settings say of running a part of its test files. */
export interface JestSettings {
  /** Names of the settings that judge a run as a whole; empty where each test file is judged by itself. */
  readonly judging: readonly string[];
  /** The exit code of a run whose tests failed. */
  readonly failureExitCode: number;
}

/** Reporters that print or write files, and never fail a run: Jest's own, and jest-junit (read in version 17.0.0). */
const HARMLESS_REPORTERS =
  /^(?:default|agent|github-actions|summary|jest-junit|.*[/\\]node_modules[/\\]jest-junit[/\\].*)$/;

/** The reports of istanbul-reports: https://istanbul.js.org/docs/advanced/alternative-reporters/ */
const HARMLESS_COVERAGE = new Set([
  "clover",
  "cobertura",
  "html",
  "html-spa",
  "json",
  "json-summary",
  "lcov",
  "lcovonly",
  "none",
  "teamcity",
  "text",
  "text-lcov",
  "text-summary",
]);

/** Whether a reporter of this name never fails a run. */
export function isHarmlessReporter(name: string): boolean {
  return HARMLESS_REPORTERS.test(name);
}

/** Whether a coverage report of this name never fails a run. */
export function isHarmlessCoverage(name: string): boolean {
  return HARMLESS_COVERAGE.has(name);
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
    const shown = members(
      JSON.parse(lines.slice(first, last + 1).join("\n")) as unknown,
      "settings",
    );
    const all = shown.object("globalConfig");
    const projects = shown.list("configs", judgingProject);
    if (projects.length === 0) return undefined;
    return {
      judging: [...new Set([...judgingRun(all), ...projects.flat()])].sort(),
      failureExitCode: all.number("testFailureExitCode"),
    };
  } catch {
    return undefined;
  }
}

/** Settings of the whole run that look at more than one test file: https://jestjs.io/docs/configuration */
function judgingRun(all: Members): readonly string[] {
  const covers = all.boolean("collectCoverage");
  const threshold = all.unknown("coverageThreshold");
  const rules: readonly [string, boolean][] = [
    ["bail", all.number("bail") > 0],
    [
      "coverageThreshold",
      covers && isSet(threshold) && JSON.stringify(threshold) !== "{}",
    ],
    [
      "coverageReporters",
      covers &&
        !namesIn(all.unknown("coverageReporters")).every(isHarmlessCoverage),
    ],
    ["globalTeardown", isSet(all.unknown("globalTeardown"))],
    ["reporters", !namesIn(all.unknown("reporters")).every(isHarmlessReporter)],
    // Its own choice of test files would be replaced by ours.
    ["shard", isSet(all.unknown("shard"))],
    ["testResultsProcessor", isSet(all.unknown("testResultsProcessor"))],
    [
      "testSequencer",
      !/@jest[/\\]test-sequencer[/\\]/.test(all.text("testSequencer")),
    ],
  ];
  return rules.filter(([, judges]) => judges).map(([name]) => name);
}

/** Settings of one project that look at more than one test file. A runner gets all files of its project at once. */
function judgingProject(project: Members): readonly string[] {
  const rules: readonly [string, boolean][] = [
    ["globalTeardown", isSet(project.unknown("globalTeardown"))],
    ["runner", !/(^|[/\\])jest-runner([/\\]|$)/.test(project.text("runner"))],
  ];
  return rules.filter(([, judges]) => judges).map(([name]) => name);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The names of reporters, which Jest lists as texts, or as pairs of a name and its options. */
function namesIn(list: unknown): readonly string[] {
  if (!isSet(list)) return [];
  return Array.isArray(list)
    ? list.map((each: unknown) => String(Array.isArray(each) ? each[0] : each))
    : ["unknown"];
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
