import { MEASURES, PERCENTILES, STAGES } from "@skein/delivery-metrics";
import type { DeliveryReport, Distribution } from "@skein/delivery-metrics";
import { showPull } from "./words.js";

const COLUMNS =
  `kind name n p50_ms p75_ms p90_ms p95_ms p90_low_ms p90_high_ms p90_pull flakes rate
  unfinished at_least`.split(/\s+/);

/** The cells of a line by the names of their columns. A missing value is an empty cell. */
type Line = Readonly<Record<string, string | number | null | undefined>>;

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
  const lines: readonly Line[] = [
    Object.fromEntries(COLUMNS.map((name) => [name, name])),
    ...MEASURES.map((name) => line("measure", name, measures[name])),
    line("builds", "builds", builds),
    ...STAGES.map((name) => line("stage", name, stages[name])),
    ...packages.map(({ name, headline }) => line("package", name, headline)),
    ...owners.map(({ name, headline }) => line("owner", name, headline)),
    ...series.map(({ day, n, p90, atLeast, interval }) => ({
      ...{ kind: "day", name: day, n, p90_ms: p90 },
      ...{ p90_low_ms: interval?.low, p90_high_ms: interval?.high },
      at_least: atLeast ? "p90" : "",
    })),
    ...(["runs", "units"] as const).map((name) => {
      const { count, of, rate } = flakes[name];
      return { kind: "flaky", name, n: of, flakes: count, rate };
    }),
    ...flakes.worst.map(({ kind, name, flakes: times, of, rate }) => ({
      ...{ kind: `flaky ${kind}`, name, n: of, flakes: times, rate },
    })),
  ];
  return lines
    .map((cells) => COLUMNS.map((name) => cell(String(cells[name] ?? ""))))
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}

function line(
  kind: string,
  name: string,
  { n, unfinished, values }: Distribution,
): Line {
  const interval = values?.p90Interval;
  return {
    ...{ kind, name, n, unfinished },
    ...{ p50_ms: values?.p50.ms, p75_ms: values?.p75.ms },
    ...{ p90_ms: values?.p90.ms, p95_ms: values?.p95.ms },
    ...{ p90_low_ms: interval?.low, p90_high_ms: interval?.high },
    p90_pull: values && showPull(values.p90.pull),
    at_least: PERCENTILES.filter((p) => values?.[`p${p}`].atLeast)
      .map((p) => `p${p}`)
      .join(" "),
  };
}

/** Quotes a cell if necessary. A name that a spreadsheet would run as a formula gets an apostrophe before it. */
function cell(text: string): string {
  const inert = /^[=+\-\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
