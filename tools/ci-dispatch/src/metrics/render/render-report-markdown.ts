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
  showSoFar,
  titleOf,
  tooFew,
} from "./words.js";

const MOST_GROUPS = 20;
const MOST_FLAKY = 10;
const NUMBERS = ["left", "right", "right", "right", "right", "right"] as const;

/** Renders a report as GitHub Markdown for a job's summary. Every name is untrusted. @param server `https://github.com` */
export function renderReportMarkdown(
  report: DeliveryReport,
  server: string,
): string {
  const { minimum, packages, owners } = report;
  const link = (pull: PullRef) => pullLink(pull, server);
  const distributions = (title: string, rows: readonly Row[]) =>
    rows.length === 0
      ? ""
      : markdownTable(
          [title, ...NUMBER_TITLES, ...LAST_TITLES],
          rows.map((row) => cellsOf(row, minimum, link)),
          NUMBERS,
        );
  const parts = [
    `### ${headlineWords(report)}\n`,
    `${markdownText(titleOf(report))}\n`,
    distributions("lead time", measureRows(report)),
    distributions("stage", stageRows(report)),
    baselineTable(report),
    groups("package", packages),
    groups("owner", owners),
    slowestTable(report, link),
    flakesTable(report),
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

function groups(title: string, list: readonly Group[]): string {
  const { shown, rest } = enoughOf(list, MOST_GROUPS);
  const table = markdownTable(
    [title, "n", "P50", "P90"],
    shown.map(({ name, headline: { n, values } }) => [
      markdownCode(name),
      formatNumber(n),
      values ? showBound(values.p50) : "",
      values ? showBound(values.p90) : "",
    ]),
    NUMBERS,
  );
  return [
    shown.length > 0 ? table : "",
    rest === "" ? "" : `${title}: ${rest}\n`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function baselineTable({ baseline }: DeliveryReport): string {
  if (!baseline) return "";
  const table = markdownTable(
    ["P90 of", "before", "after", "change", "95 %"],
    baseline.changes.map(({ of, before, after, percent, interval }) => [
      COMPARED_WORDS[of],
      showCompared(before),
      showCompared(after),
      showPercent(percent),
      showPercentInterval(interval),
    ]),
    ["left", "right", "right", "right", "right"],
  );
  return `Before: ${baselineWords(baseline)}\n\n${table}`;
}

function slowestTable(
  { slowest }: DeliveryReport,
  link: (pull: PullRef) => string,
): string {
  if (slowest.length === 0) return "";
  return markdownTable(
    ["slowest", "headline", "gross", "title"],
    slowest.map((each) => [
      link(each),
      each.headline === null ? "" : showSoFar(each, each.headline),
      showSoFar(each, each.gross),
      markdownText(each.title ?? ""),
    ]),
    ["left", "right", "right", "left"],
  );
}

function flakesTable({ flakes }: DeliveryReport): string {
  if (flakes.worst.length === 0) return "";
  return markdownTable(
    ["flaky", "flakes", "of", "rate"],
    flakes.worst
      .slice(0, MOST_FLAKY)
      .map((each) => [
        markdownCode(each.name),
        formatNumber(each.flakes),
        flakedOf(each),
        percent(each.rate),
      ]),
    ["left", "right", "right", "right"],
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
