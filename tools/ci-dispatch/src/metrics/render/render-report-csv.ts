import { MEASURES, STAGES } from "@skein/delivery-metrics";
import type { DeliveryReport, Distribution } from "@skein/delivery-metrics";
import { showPull } from "./words.js";

const COLUMNS = [
  "kind",
  "name",
  "n",
  "p50_ms",
  "p75_ms",
  "p90_ms",
  "p95_ms",
  "p90_low_ms",
  "p90_high_ms",
  "p90_pull",
] as const;

/**
 * A report as CSV (RFC 4180, but lines end as on Unix): a line for each distribution (`measure`, `stage`, `builds`, `package`, `owner`), and one for each day
 * of the series (`day`), in which `n` counts the day's window. What is too few has empty cells.
 */
export function renderReportCsv({
  measures,
  stages,
  builds,
  packages,
  owners,
  series,
}: DeliveryReport): string {
  const lines: (readonly string[])[] = [
    COLUMNS,
    ...MEASURES.map((name) => line("measure", name, measures[name])),
    line("builds", "builds", builds),
    ...STAGES.map((name) => line("stage", name, stages[name])),
    ...packages.map(({ name, headline }) => line("package", name, headline)),
    ...owners.map(({ name, headline }) => line("owner", name, headline)),
    ...series.map(({ day, n, p90, interval }) => [
      "day",
      day,
      String(n),
      "",
      "",
      known(p90),
      "",
      known(interval?.low),
      known(interval?.high),
      "",
    ]),
  ];
  return lines.map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

function line(
  kind: string,
  name: string,
  { n, values }: Distribution,
): readonly string[] {
  if (!values) return [kind, name, String(n), "", "", "", "", "", "", ""];
  const { p50, p75, p90, p95, p90Interval } = values;
  return [
    kind,
    name,
    String(n),
    ...[p50, p75, p90, p95].map(({ ms }) => String(ms)),
    String(p90Interval.low),
    String(p90Interval.high),
    showPull(p90.pull),
  ];
}

function known(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Quoted where it must be. A name that a spreadsheet would run as a formula gets an apostrophe before it. */
function cell(text: string): string {
  const inert = /^[=+\-\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
