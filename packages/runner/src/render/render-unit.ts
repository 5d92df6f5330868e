import {
  formatDuration,
  palette,
  printable,
  workflowCommand,
} from "@skein/reporting";
import { findPlace } from "./find-place.js";
import { isBad, marks, notesOf, statusWords } from "./render-words.js";
import type { UnitResult } from "../unit.js";

/** The scripts whose output is shown. */
export type OutputMode = "full" | "failed" | "none";

export interface UnitRenderOptions {
  readonly mode: OutputMode;
  readonly colour: boolean;
  /** In GitHub Actions: a word that no script can guess, new for each run. */
  readonly actionsToken?: string;
  /** The project's root, for annotations in GitHub Actions. Without it, they name no file. */
  readonly root?: string;
}

/** Renders a unit that has ended: a line, and its output if that is wanted. Returns "" for a unit without a script. */
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
    // A script's output must not be able to send commands to the runner, or end its group.
    workflowCommand("stop-commands", token),
    log,
    workflowCommand(token),
    workflowCommand("endgroup"),
    ...notes,
    error,
  ].join("");
}

/** Returns an annotation for a failure, at the source line that its output names, if there is one. */
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

/** Returns the output with a line break at its end, so that later text begins a new line. */
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
