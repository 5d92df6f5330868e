import { count, printable } from "@skein/reporting";
import type { TraceReport } from "./trace-report.js";
import { fixLine, gapLines, missNote, missWords } from "./words.js";

/** The maximum number of files of one miss in the text. The JSON report has all. */
const MOST_FILES = 10;
/** The maximum number of gaps of one unit in the text. */
const MOST_GAPS = 5;

/** Renders the report as text: misses first, then incomplete and missing recordings, then dependencies that nothing used. */
export function renderTrace(report: TraceReport): string {
  const { misses, unusedEdges, traces, notRun, dirOf } = report;
  const lines: string[] = [];
  for (const miss of misses) {
    const { file, line } = fixLine(miss, dirOf);
    const note = missNote(miss);
    lines.push(
      `miss: ${missWords(miss)}`,
      ...cut(miss.files.map(printable), MOST_FILES, "file"),
      `  fix: ${printable(file)}: ${printable(line)}`,
      ...(note === undefined ? [] : [`  note: ${note}`]),
    );
  }
  for (const { unit, gaps, passed } of traces) {
    if (!passed) lines.push(`failed: ${printable(unit)}`);
    if (gaps.length === 0) continue;
    lines.push(
      `incomplete: ${printable(unit)}`,
      ...cut(gapLines(gaps), MOST_GAPS, "reason"),
    );
  }
  for (const { unit, words } of notRun)
    lines.push(`not recorded: ${printable(unit)} ${words}`);
  for (const { from, to, kind, evidence } of unusedEdges)
    lines.push(
      `unused: ${printable(from)} -> ${printable(to)} (${kind}: ${printable(evidence)}); no recorded unit of it used a file there`,
    );
  return lines.map((line) => `${line}\n`).join("");
}

/** Renders the report in one line. */
export function traceSummary(report: TraceReport): string {
  const { recorder, traces, notRun, misses, unusedEdges } = report;
  const complete = traces.filter(({ gaps }) => gaps.length === 0).length;
  const by = recorder.kind === "strace" ? "strace" : "Node's hooks";
  return [
    `${count(traces.length, "unit")} recorded by ${by}, ${complete} complete`,
    ...(notRun.length === 0
      ? []
      : [
          `incomplete, because ${count(notRun.length, "unit")} didn't run to the end`,
        ]),
    count(misses.length, "miss", "misses"),
    count(unusedEdges.length, "unused dependency", "unused dependencies"),
  ].join("; ");
}

function cut(lines: readonly string[], most: number, noun: string): string[] {
  const shown = lines.slice(0, most).map((line) => `  ${line}`);
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `  and ${count(left, `more ${noun}`)}`] : shown;
}
