import { MEASURES, PERCENTILES, STAGES } from "@skein/delivery-metrics";
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
  "flakes",
  "rate",
  "unfinished",
  "at_least",
] as const;

/**
 * Renders a report as CSV (RFC 4180, but lines end as on Unix). It has a line for each distribution (`measure`, `stage`,
 * `builds`, `package`, `owner`), for each day of the series (`day`), where `n` is the size of the day's window, and for each
 * rate of flakes (`flaky`: `runs`, `units`, and by name `flaky job`, `flaky unit`), where `n` is the rate's denominator.
 * `unfinished` is the number of those in `n` that have not ended, and `at_least` lists the percentiles that are therefore
 * only lower bounds: `p90 p95`. A value that is unknown, or has too few observations, is an empty cell.
 */
export function renderReportCsv({
  measures,
  stages,
  builds,
  packages,
  owners,
  series,
  flakes,
}: DeliveryReport): string {
  const lines: (readonly string[])[] = [
    COLUMNS,
    ...MEASURES.map((name) => line("measure", name, measures[name])),
    line("builds", "builds", builds),
    ...STAGES.map((name) => line("stage", name, stages[name])),
    ...packages.map(({ name, headline }) => line("package", name, headline)),
    ...owners.map(({ name, headline }) => line("owner", name, headline)),
    ...series.map(({ day, n, p90, atLeast, interval }) => [
      "day",
      day,
      String(n),
      "",
      "",
      known(p90),
      "",
      known(interval?.low),
      known(interval?.high),
      ...["", "", "", ""],
      atLeast ? "p90" : "",
    ]),
    ...(["runs", "units"] as const).map((name) => {
      const { count, of, rate } = flakes[name];
      return flakyLine("flaky", name, of, count, rate);
    }),
    ...flakes.worst.map(({ kind, name, flakes: times, of, rate }) =>
      flakyLine(`flaky ${kind}`, name, of, times, rate),
    ),
  ];
  return lines
    .map((cells) => COLUMNS.map((_, index) => cells[index] ?? ""))
    .map((cells) => `${cells.map(cell).join(",")}\n`)
    .join("");
}

function flakyLine(
  kind: string,
  name: string,
  of: number,
  flakes: number,
  rate: number | null,
): readonly string[] {
  const none = ["", "", "", "", "", "", ""];
  return [kind, name, String(of), ...none, String(flakes), known(rate)];
}

function line(
  kind: string,
  name: string,
  { n, unfinished, values }: Distribution,
): readonly string[] {
  if (!values)
    return [
      ...[kind, name, String(n), "", "", "", "", "", "", "", "", ""],
      String(unfinished),
    ];
  const { p50, p75, p90, p95, p90Interval } = values;
  return [
    kind,
    name,
    String(n),
    ...[p50, p75, p90, p95].map(({ ms }) => String(ms)),
    known(p90Interval?.low),
    known(p90Interval?.high),
    showPull(p90.pull),
    ...["", ""],
    String(unfinished),
    PERCENTILES.filter((p) => values[`p${p}`].atLeast)
      .map((p) => `p${p}`)
      .join(" "),
  ];
}

function known(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Quotes a cell if necessary. A name that a spreadsheet would run as a formula gets an apostrophe before it. */
function cell(text: string): string {
  const inert = /^[=+\-\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
