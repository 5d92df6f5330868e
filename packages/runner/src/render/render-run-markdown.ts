import { formatDuration, markdownCode, markdownTable } from "@skein/reporting";
import { logTail } from "./log-tail.js";
import { countWords } from "./render-summary.js";
import { isBad, marks, statusWords } from "./render-words.js";
import type { RunReport, Unit, UnitResult } from "../unit.js";

/** The number of lines at the end of a failure's output that a job's page shows. */
const LINES = 40;
/** GitHub accepts 1 MiB per step: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands */
const MOST_LOGS = 20;

/**
 * Renders a run as Markdown for the page of a job in GitHub Actions: the counts, each failure with its last lines and
 * the command that reruns it, and all scripts in a folded table.
 * @param script the requested script
 */
export function renderRunMarkdown(
  report: RunReport,
  script: string,
  again: (unit: Unit) => string,
): string {
  const shown = report.results.filter(({ status }) => status !== "no-script");
  const bad = shown.filter(isBad);
  const table = markdownTable(
    ["", "script", "time", "result"],
    shown.map((result) => [
      marks[result.status],
      markdownCode(result.unit.id),
      "durationMs" in result ? formatDuration(result.durationMs) : "",
      statusWords(result).replaceAll(/[|\\`<]/g, "\\$&"),
    ]),
    ["left", "left", "right"],
  );
  return [
    `### ${bad.length > 0 ? "✗" : "✓"} affected ${markdownCode(script)}`,
    `${countWords(report)}, in ${formatDuration(report.durationMs)}${report.interrupted ? " (interrupted)" : ""}`,
    ...bad.slice(0, MOST_LOGS).map((result) => failure(result, again)),
    ...(shown.length > 0
      ? [`<details><summary>All scripts</summary>\n\n${table}\n</details>`]
      : []),
    "",
  ].join("\n\n");
}

function failure(result: UnitResult, again: (unit: Unit) => string): string {
  const lines = "output" in result ? logTail(result.output.text, LINES) : [];
  // Indented text is code, whatever fences and markup it contains.
  const log = lines.map((line) => `    ${line}`).join("\n");
  return [
    `**${marks[result.status]}** ${markdownCode(result.unit.id)} ${statusWords(result).replaceAll(/[|\\`<]/g, "\\$&")}`,
    ...(log === "" ? [] : [log]),
    `Rerun it: ${markdownCode(again(result.unit))}`,
  ].join("\n\n");
}
