import {
  formatDuration,
  palette,
  printable,
  workflowCommand,
} from "@skein/reporting";
import { findPlace } from "./find-place.js";
import { isBad, marks, notesOf, statusWords } from "./render-words.js";
import type { UnitResult } from "./unit.js";

/** Which scripts' output is shown. */
export type OutputMode = "full" | "failed" | "none";

export interface UnitRenderOptions {
  readonly mode: OutputMode;
  readonly colour: boolean;
  /** In GitHub Actions: a word that no script can guess, made anew for each run. */
  readonly actionsToken?: string;
  /** The project's root, for annotations of files in GitHub Actions; without it they name none. */
  readonly root?: string;
}

/** What is told when a unit has ended: a line, and its output if that is wanted. Nothing for a unit without a script. */
export function renderUnit(
  result: UnitResult,
  options: UnitRenderOptions,
): string {
  if (result.status === "no-script") return "";
  const title = titleOf(result);
  const log = logOf(result, options.mode);
  const notes = notesOf(result).map((note) => `  ${note}\n`);
  if (options.actionsToken === undefined) {
    const paint = palette(options.colour);
    const style = isBad(result)
      ? paint.red
      : result.status === "passed"
        ? paint.green
        : paint.yellow;
    return `${style(title)}\n${log}${notes.join("")}`;
  }
  const error = isBad(result) ? annotation(result, title, options.root) : "";
  if (log === "") return `${title}\n${notes.join("")}${error}`;
  const token = options.actionsToken;
  return [
    workflowCommand("group", title),
    // A script's output must not be able to give commands to the runner, nor end its group.
    workflowCommand("stop-commands", token),
    log,
    workflowCommand(token),
    workflowCommand("endgroup"),
    ...notes,
    error,
  ].join("");
}

/** Shows a failure at the line of a source that its output names, if there is one. */
function annotation(
  result: UnitResult,
  title: string,
  root: string | undefined,
): string {
  const log = "output" in result ? result.output.text : "";
  const place =
    root === undefined
      ? undefined
      : findPlace(log, { root, dir: result.unit.dir });
  return workflowCommand("error", title, {
    title: printable(result.unit.id),
    ...place,
  });
}

/** Ends with a line break, so that what follows stands at the start of a line. */
function logOf(result: UnitResult, mode: OutputMode): string {
  if (!("output" in result) || mode === "none") return "";
  if (mode === "failed" && result.status === "passed") return "";
  const { text } = result.output;
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function titleOf(result: UnitResult): string {
  const time =
    "durationMs" in result ? ` (${formatDuration(result.durationMs)})` : "";
  return `${marks[result.status]} ${printable(result.unit.id)} ${statusWords(result)}${time}`;
}
