import { MEASURES, STAGES } from "@skein/delivery-metrics";
import type {
  Change,
  DeliveryReport,
  Distribution,
  FlakyName,
  Group,
  PullRef,
} from "@skein/delivery-metrics";
import { formatNumber, type Column } from "@skein/reporting";
import {
  COMPARED_WORDS,
  flakedOf,
  percent,
  showBound,
  showCompared,
  showInterval,
  showPercent,
  showPercentInterval,
  showSoFar,
  tooFew,
} from "./words.js";

/** A table of a report, in any format. */
export interface ReportTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** How a format shows untrusted parts of a cell. */
export interface Cells {
  readonly pull: (pull: PullRef) => string;
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
}

/** Returns the percentiles of the measures, the headline first, and those of builds. */
export function measuresTable(
  { measures, builds, minimum }: DeliveryReport,
  cells: Cells,
): ReportTable {
  return distributions(
    "lead time",
    [
      ...MEASURES.map(
        (name) => [COMPARED_WORDS[name], measures[name]] as const,
      ),
      [COMPARED_WORDS.builds, builds],
    ],
    minimum,
    cells,
  );
}

/** Returns the percentiles of the stages that took any time, in order. */
export function stagesTable(
  { stages, minimum }: DeliveryReport,
  cells: Cells,
): ReportTable {
  return distributions(
    "stage",
    STAGES.filter((name) => (stages[name].values?.p95.ms ?? 0) > 0).map(
      (name) => [COMPARED_WORDS[name], stages[name]],
    ),
    minimum,
    cells,
  );
}

function distributions(
  title: string,
  rows: readonly (readonly [words: string, Distribution])[],
  minimum: number,
  { pull }: Cells,
): ReportTable {
  return {
    columns: [
      { title },
      ...right("n", "P50", "P75", "P90", "P95"),
      { title: "P90 confidence interval" },
      { title: "the P90 is" },
    ],
    rows: rows.map(([words, distribution]) => {
      const { n, values } = distribution;
      const first = [words, formatNumber(n)];
      if (!values)
        return [...first, "", "", "", "", tooFew(distribution, minimum)];
      const { p50, p75, p90, p95, p90Interval } = values;
      return [
        ...first,
        ...[p50, p75, p90, p95].map(showBound),
        showInterval(p90Interval),
        p90.ms > 0 ? pull(p90.pull) : "",
      ];
    }),
  };
}

/** Returns the headline of packages or owners. */
export function groupsTable(
  title: string,
  groups: readonly Group[],
  { name: show, pull }: Cells,
): ReportTable {
  return {
    columns: [
      { title, shrinks: true },
      ...right("n", "headline P50", "P90"),
      { title: "the P90 is" },
    ],
    rows: groups.map(({ name, headline: { n, values } }) => [
      show(name),
      formatNumber(n),
      values ? showBound(values.p50) : "",
      values ? showBound(values.p90) : "",
      values ? pull(values.p90.pull) : "",
    ]),
  };
}

/** Returns the slowest pull requests. */
export function slowestTable(
  slowest: DeliveryReport["slowest"],
  { pull, text }: Cells,
): ReportTable {
  return {
    columns: [
      { title: "slowest" },
      ...right("headline", "gross"),
      { title: "title", shrinks: true },
    ],
    rows: slowest.map((each) => [
      pull(each),
      each.headline === null ? "" : showSoFar(each, each.headline),
      showSoFar(each, each.gross),
      text(each.title ?? ""),
    ]),
  };
}

/** Returns the jobs and units that flake most. */
export function flakesTable(
  worst: readonly FlakyName[],
  { name }: Cells,
): ReportTable {
  return {
    columns: [
      { title: "flaky", shrinks: true },
      ...right("flakes", "of", "rate"),
    ],
    rows: worst.map((each) => [
      name(each.name),
      formatNumber(each.flakes),
      flakedOf(each),
      percent(each.rate),
    ]),
  };
}

/** Returns P90s before and after. */
export function changesTable(changes: readonly Change[]): ReportTable {
  return {
    columns: [
      { title: "P90 of" },
      ...right("before", "n", "after", "n", "change"),
      { title: "confidence interval" },
    ],
    rows: changes.map(({ of, before, after, percent, interval }) => [
      COMPARED_WORDS[of],
      showCompared(before),
      formatNumber(before.n),
      showCompared(after),
      formatNumber(after.n),
      showPercent(percent),
      showPercentInterval(interval),
    ]),
  };
}

/** Returns columns of numbers. */
function right(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title, align: "right" }));
}
