import {
  count,
  formatDuration,
  palette,
  printable,
  renderTable,
} from "@skein/reporting";
import { logTail } from "./log-tail.js";
import {
  isBad,
  marks,
  notesOf,
  replayedOf,
  statusWords,
} from "./render-words.js";
import type { RunReport, Unit, UnitResult, UnitStatus } from "../unit.js";

export interface SummaryOptions {
  readonly colour: boolean;
  /** The columns of the terminal; undefined if nothing should be cut. */
  readonly width?: number | undefined;
  /** List every script, including those that passed. */
  readonly verbose?: boolean;
  /** Repeat the last lines of each failure's output. */
  readonly tails?: boolean;
  /** Returns the command that reruns a unit; undefined if there is none. */
  readonly again?: ((unit: Unit) => string) | undefined;
}

/** The maximum number of failures with their last lines. The others only have their own line. */
const MOST_TAILS = 10;

const counted: Readonly<Record<UnitStatus, string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "timed out",
  cancelled: "cancelled",
  skipped: "skipped",
  "no-script": "",
};

/**
 * Renders a run's summary: warnings, then each failure with its last lines and the command that reruns it. The counts
 * are at the end, where people look first. Packages without the script are omitted.
 */
export function renderSummary(
  report: RunReport,
  options: SummaryOptions,
): string {
  const paint = palette(options.colour);
  const shown = report.results.filter(({ status }) => status !== "no-script");
  const bad = shown.filter(isBad);
  const line = `${countWords(report)}, in ${formatDuration(report.durationMs)}${report.interrupted ? " (interrupted)" : ""}`;
  return [
    ...warningsOf(report),
    ...(options.verbose ? [tableOf(shown, options)] : notRun(shown)),
    ...bad.map((result, index) =>
      failureWords(result, {
        ...options,
        tails: index < MOST_TAILS && options.tails === true,
      }),
    ),
    `${(bad.length > 0 ? paint.red : paint.green)(paint.bold(line))}\n`,
  ].join("");
}

/** Returns the counts of a run: `3 scripts: 2 passed, 1 failed`. */
export function countWords({ results }: RunReport): string {
  const shown = results.filter(({ status }) => status !== "no-script");
  const sums = (Object.keys(counted) as UnitStatus[]).flatMap((status) => {
    const all = shown.filter((result) => result.status === status);
    const replayed = all.filter(replayedOf);
    const idle = all.filter((result) => "started" in result && !result.started);
    return [
      ...words(all.length - idle.length - replayed.length, counted[status]),
      ...words(idle.length, "not started"),
      ...words(replayed.length, "replayed"),
    ];
  });
  return `${count(shown.length, "script")}: ${sums.join(", ") || "nothing to run"}`;
}

function words(amount: number, word: string): string[] {
  return amount === 0 ? [] : [`${amount} ${word}`];
}

/** Returns the warnings about the whole project, each only once. */
function warningsOf({ broken, results }: RunReport): string[] {
  const circles = broken.map(
    ({ from, to, cycle }) =>
      `warning: ${printable(from)} did not wait for ${printable(to)}: they wait for each other (${printable([...cycle, to].join(" -> "))})\n`,
  );
  const reasons = results.flatMap((result) =>
    "viaReason" in result ? [result.viaReason] : [],
  );
  const slower = [...new Set(reasons)].map(
    (reason) =>
      `warning: each script was run by Yarn itself, which takes longer: ${printable(reason)}\n`,
  );
  return [...circles, ...slower];
}

/** Renders every script that isn't bad as a table. Those that didn't pass are at its end. */
function tableOf(
  shown: readonly UnitResult[],
  { width }: SummaryOptions,
): string {
  const rank = ({ status }: UnitResult) => (status === "passed" ? 0 : 1);
  return renderTable(
    [{}, {}, { align: "right" }, { shrinks: true }],
    shown
      .filter((result) => !isBad(result))
      .sort((a, b) => rank(a) - rank(b))
      .map((result) => [
        marks[result.status],
        result.unit.id,
        "durationMs" in result ? formatDuration(result.durationMs) : "",
        [statusWords(result), ...notesOf(result)].join("; "),
      ]),
    { width },
  );
}

/** Returns why scripts were skipped, with one line per reason for all scripts that have it. */
function notRun(shown: readonly UnitResult[]): string[] {
  const reasons = new Map<string, UnitResult[]>();
  for (const result of shown)
    if (result.status === "skipped") {
      const why = statusWords(result);
      reasons.set(why, [...(reasons.get(why) ?? []), result]);
    }
  return [...reasons].map(([why, [first, ...more]]) =>
    more.length === 0
      ? `${marks.skipped} ${printable(first?.unit.id ?? "")} ${why}\n`
      : `${marks.skipped} ${count(more.length + 1, "script")} ${why}\n`,
  );
}

function failureWords(
  result: UnitResult,
  { colour, tails, again }: SummaryOptions,
): string {
  const paint = palette(colour);
  const log = tails && "output" in result ? logTail(result.output.text) : [];
  const time =
    "durationMs" in result ? ` (${formatDuration(result.durationMs)})` : "";
  const command = again?.(result.unit);
  return [
    paint.red(
      `${marks[result.status]} ${printable(result.unit.id)} ${statusWords(result)}${time}`,
    ),
    ...log.map((line) => `    ${line}`),
    ...notesOf(result).map((note) => `  ${note}`),
    ...(command === undefined ? [] : [`  rerun: ${printable(command)}`]),
    "",
  ].join("\n");
}
