import type { Change, DeliveryReport, Group } from "@skein/delivery-metrics";
import { renderTable } from "@skein/reporting";
import { doraWords } from "./dora-words.js";
import {
  changesTable,
  flakesTable,
  groupsTable,
  measuresTable,
  slowestTable,
  stagesTable,
} from "./report-tables.js";
import type { Cells, ReportTable } from "./report-tables.js";
import {
  baselineWords,
  coverageWords,
  enoughOf,
  reliabilityWords,
  showPull,
  titleOf,
} from "./words.js";

const MOST_GROUPS = 10;
const MOST_SLOWEST = 5;
/** A table makes its cells printable. */
const CELLS: Cells = {
  pull: showPull,
  name: (name) => name,
  text: (text) => text,
};

/** Renders a report for a terminal. @param width of the terminal; undefined if the output is piped */
export function renderReport(
  report: DeliveryReport,
  width: number | undefined,
): string {
  const { packages, owners, flakes, slowest, baseline } = report;
  const table = (of: ReportTable) => tableText(of, width);
  const groups = (title: string, list: readonly Group[]) => {
    const { shown, rest } = enoughOf(list, MOST_GROUPS);
    return `${table(groupsTable(title, shown, CELLS))}${rest === "" ? "" : `${title}: ${rest}\n`}`;
  };
  const parts = [
    `${titleOf(report)}\n`,
    table(measuresTable(report, CELLS)),
    table(stagesTable(report, CELLS)),
    groups("package", packages),
    groups("owner", owners),
    table(slowestTable(slowest.slice(0, MOST_SLOWEST), CELLS)),
    table(flakesTable(flakes.worst.slice(0, MOST_SLOWEST), CELLS)),
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

/** Renders P90s before and after. */
export function renderChanges(
  changes: readonly Change[],
  width: number | undefined,
): string {
  return tableText(changesTable(changes), width);
}

function tableText(
  { columns, rows }: ReportTable,
  width: number | undefined,
): string {
  return rows.length === 0 ? "" : renderTable(columns, rows, { width });
}
