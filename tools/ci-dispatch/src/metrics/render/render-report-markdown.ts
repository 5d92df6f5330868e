import { showLeadTime } from "@skein/delivery-metrics";
import type { DeliveryReport, Group, PullRef } from "@skein/delivery-metrics";
import {
  count,
  formatNumber,
  markdownCode,
  markdownTable,
  markdownText,
} from "@skein/reporting";
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
  titleOf,
  tooFew,
} from "./words.js";

const MOST_GROUPS = 20;
const MOST_FLAKY = 10;

/** Renders a report as GitHub Markdown for a job's summary. Every name is untrusted. @param server `https://github.com` */
export function renderReportMarkdown(
  report: DeliveryReport,
  server: string,
): string {
  const { packages, owners, slowest, flakes, baseline } = report;
  const cells: Cells = {
    pull: (pull) => pullLink(pull, server),
    name: markdownCode,
    text: markdownText,
  };
  const groups = (title: string, list: readonly Group[]) => {
    const { shown, rest } = enoughOf(list, MOST_GROUPS);
    return [
      table(groupsTable(title, shown, cells)),
      rest === "" ? "" : `${title}: ${rest}\n`,
    ];
  };
  const parts = [
    `### ${headlineWords(report)}\n`,
    `${markdownText(titleOf(report))}\n`,
    table(measuresTable(report, cells)),
    table(stagesTable(report, cells)),
    baseline
      ? `Before: ${baselineWords(baseline)}\n\n${table(changesTable(baseline.changes))}`
      : "",
    ...groups("package", packages),
    ...groups("owner", owners),
    table(slowestTable(slowest, cells)),
    table(flakesTable(flakes.worst.slice(0, MOST_FLAKY), cells)),
    [
      ...coverageWords(report),
      ...doraWords(report),
      ...reliabilityWords(report),
    ]
      .map((words) => `- ${markdownText(words)}\n`)
      .join(""),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function table({ columns, rows }: ReportTable): string {
  return rows.length === 0
    ? ""
    : markdownTable(
        columns.map(({ title = "" }) => title),
        rows,
        columns.map(({ align = "left" }) => align),
      );
}

/** Returns the headline's number as text. */
function headlineWords({
  measures: { headline },
  minimum,
  window,
}: Pick<DeliveryReport, "measures" | "minimum" | "window">): string {
  return headline.values
    ? `P90 of ${headline.values.p90.atLeast ? "at least " : ""}${showLeadTime(headline.values.p90.ms)} without human waiting, over ${formatNumber(headline.n)} pull requests in ${window.days} days`
    : `No P90 in ${window.days} days: ${count(headline.n, "pull request")}, ${tooFew(headline, minimum)}`;
}

/** Returns a link. Its address contains only validated parts. */
function pullLink({ repository, pull }: PullRef, server: string): string {
  return `[${markdownText(repository)} ${pull}](${server}/${repository}/pull/${pull})`;
}
