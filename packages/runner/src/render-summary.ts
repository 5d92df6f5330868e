import {
  count,
  formatDuration,
  palette,
  printable,
  renderTable,
} from "@skein/reporting";
import { isBad, marks, notesOf, statusWords } from "./render-words.js";
import type { RunReport, UnitResult, UnitStatus } from "./unit.js";

export interface SummaryOptions {
  readonly colour: boolean;
  /** Columns of the terminal; undefined where nothing should be cut. */
  readonly width?: number | undefined;
}

const counted: Readonly<Record<UnitStatus, string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "timed out",
  cancelled: "cancelled",
  skipped: "skipped",
  "no-script": "",
};

/**
 * A run as a table with what did not pass at its end, where a reader looks first, and a line of sums. Packages
 * without the script are not named. What is so for a whole project is said once.
 */
export function renderSummary(
  report: RunReport,
  { colour, width }: SummaryOptions,
): string {
  const paint = palette(colour);
  const shown = report.results
    .filter(({ status }) => status !== "no-script")
    .sort((a, b) => rank(a) - rank(b));
  const table = renderTable(
    [{}, {}, { align: "right" }, { shrinks: true }],
    shown.map((result) => [
      marks[result.status],
      result.unit.id,
      "durationMs" in result ? formatDuration(result.durationMs) : "",
      [statusWords(result), ...notesOf(result)].join("; "),
    ]),
    { width },
  );
  const circles = report.broken.map(
    ({ from, to, cycle }) =>
      `warning: ${printable(from)} did not wait for ${printable(to)}: they wait for each other (${printable([...cycle, to].join(" -> "))})\n`,
  );
  const reasons = shown.flatMap((result) =>
    "viaReason" in result ? [result.viaReason] : [],
  );
  const slower = [...new Set(reasons)].map(
    (reason) =>
      `warning: each script was run by Yarn itself, which takes longer: ${printable(reason)}\n`,
  );
  const bad = shown.some(isBad);
  const sums = (Object.keys(counted) as UnitStatus[]).flatMap((status) => {
    const amount = shown.filter((result) => result.status === status).length;
    return amount === 0 ? [] : [`${amount} ${counted[status]}`];
  });
  const line = `${count(shown.length, "script")}: ${sums.join(", ") || "nothing to run"}, in ${formatDuration(report.durationMs)}${report.interrupted ? " (interrupted)" : ""}`;
  return [
    ...circles,
    ...slower,
    table,
    `${(bad ? paint.red : paint.green)(paint.bold(line))}\n`,
  ].join("");
}

function rank(result: UnitResult): number {
  return isBad(result) ? 2 : result.status === "passed" ? 0 : 1;
}
