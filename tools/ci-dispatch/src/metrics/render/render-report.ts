import type { Change, DeliveryReport, Group } from "@skein/delivery-metrics";
import { formatNumber, renderTable } from "@skein/reporting";
import { doraWords } from "./dora-words.js";
import type { Row } from "./rows.js";
import {
  cellsOf,
  LAST_TITLES,
  measureRows,
  NUMBER_TITLES,
  stageRows,
} from "./rows.js";
import {
  baselineWords,
  COMPARED_WORDS,
  coverageWords,
  enoughOf,
  flakedOf,
  percent,
  reliabilityWords,
  showBound,
  showCompared,
  showPercent,
  showPercentInterval,
  showPull,
  showSoFar,
  titleOf,
} from "./words.js";

const MOST_GROUPS = 10;
const MOST_SLOWEST = 5;

/** Renders a report for a terminal. @param width of the terminal; undefined if the output is piped */
export function renderReport(
  report: DeliveryReport,
  width: number | undefined,
): string {
  const { minimum, packages, owners, flakes, slowest, baseline } = report;
  const parts = [
    `${titleOf(report)}\n`,
    distributions("lead time", measureRows(report), minimum, width),
    distributions("stage", stageRows(report), minimum, width),
    groups("package", packages, width),
    groups("owner", owners, width),
    slowestOf(slowest, width),
    flakiest(flakes, width),
    baseline
      ? `before: ${baselineWords(baseline)}\n${renderChanges(baseline.changes, width)}`
      : "",
    [
      ...coverageWords(report),
      ...doraWords(report),
      ...reliabilityWords(report),
    ]
      .map((words) => `${words}\n`)
      .join(""),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function distributions(
  title: string,
  rows: readonly Row[],
  minimum: number,
  width: number | undefined,
): string {
  if (rows.length === 0) return "";
  return renderTable(
    [
      { title },
      ...NUMBER_TITLES.map((title) => ({ title, align: "right" as const })),
      ...LAST_TITLES.map((title) => ({ title })),
    ],
    rows.map((row) => cellsOf(row, minimum, showPull)),
    { width },
  );
}

function slowestOf(
  slowest: DeliveryReport["slowest"],
  width: number | undefined,
): string {
  if (slowest.length === 0) return "";
  return renderTable(
    [
      { title: "slowest" },
      { title: "headline", align: "right" },
      { title: "gross", align: "right" },
      { title: "title", shrinks: true },
    ],
    slowest
      .slice(0, MOST_SLOWEST)
      .map((each) => [
        showPull(each),
        each.headline === null ? "" : showSoFar(each, each.headline),
        showSoFar(each, each.gross),
        each.title ?? "",
      ]),
    { width },
  );
}

function flakiest(
  { worst }: DeliveryReport["flakes"],
  width: number | undefined,
): string {
  if (worst.length === 0) return "";
  return renderTable(
    [
      { title: "flaky", shrinks: true },
      { title: "flakes", align: "right" },
      { title: "of", align: "right" },
      { title: "rate", align: "right" },
    ],
    worst
      .slice(0, MOST_SLOWEST)
      .map((each) => [
        each.name,
        formatNumber(each.flakes),
        flakedOf(each),
        percent(each.rate),
      ]),
    { width },
  );
}

function groups(
  title: string,
  list: readonly Group[],
  width: number | undefined,
): string {
  const { shown, rest } = enoughOf(list, MOST_GROUPS);
  const table = renderTable(
    [
      { title, shrinks: true },
      { title: "n", align: "right" },
      { title: "headline P50", align: "right" },
      { title: "P90", align: "right" },
      { title: "the P90 is" },
    ],
    shown.map(({ name, headline: { n, values } }) => [
      name,
      formatNumber(n),
      values ? showBound(values.p50) : "",
      values ? showBound(values.p90) : "",
      values ? showPull(values.p90.pull) : "",
    ]),
    { width },
  );
  return `${shown.length > 0 ? table : ""}${rest === "" ? "" : `${title}: ${rest}\n`}`;
}

/** Renders P90s before and after. */
export function renderChanges(
  changes: readonly Change[],
  width: number | undefined,
): string {
  return renderTable(
    [
      { title: "P90 of" },
      { title: "before", align: "right" },
      { title: "n", align: "right" },
      { title: "after", align: "right" },
      { title: "n", align: "right" },
      { title: "change", align: "right" },
      { title: "95 %" },
    ],
    changes.map(({ of, before, after, percent, interval }) => [
      COMPARED_WORDS[of],
      showCompared(before),
      formatNumber(before.n),
      showCompared(after),
      formatNumber(after.n),
      showPercent(percent),
      showPercentInterval(interval),
    ]),
    { width },
  );
}
