import { MEASURES, STAGES } from "@skein/delivery-metrics";
import type {
  DeliveryReport,
  Distribution,
  Measure,
  PullRef,
} from "@skein/delivery-metrics";
import { formatNumber } from "@skein/reporting";
import { COMPARED_WORDS, showBound, showInterval, tooFew } from "./words.js";

/** One distribution of a report, with its label. */
export interface Row {
  readonly words: string;
  readonly distribution: Distribution;
}

/** Returns the rows of the measures, the headline first, and then that of builds. */
export function measureRows({
  measures,
  builds,
}: DeliveryReport): readonly Row[] {
  return [
    ...MEASURES.map((name: Measure) => ({
      words: COMPARED_WORDS[name],
      distribution: measures[name],
    })),
    { words: COMPARED_WORDS.builds, distribution: builds },
  ];
}

/** Returns the rows of stages that took any time, in order. */
export function stageRows({ stages }: DeliveryReport): readonly Row[] {
  return STAGES.filter((name) => (stages[name].values?.p95.ms ?? 0) > 0).map(
    (name) => ({ words: COMPARED_WORDS[name], distribution: stages[name] }),
  );
}

/** The titles of the columns with numbers, and of the two columns after them. */
export const NUMBER_TITLES = ["n", "P50", "P75", "P90", "P95"];
/** The titles of the two columns after the numbers. */
export const LAST_TITLES = ["95 % of the P90", "the P90 is"];

/**
 * Returns a row's cells: its label, then one for each column.
 * @param minimum the number of values below which there are no percentiles
 * @param show renders the pull request at the P90
 */
export function cellsOf(
  { words, distribution }: Row,
  minimum: number,
  show: (pull: PullRef) => string,
): string[] {
  const { n, values } = distribution;
  const first = [words, formatNumber(n)];
  if (!values) return [...first, "", "", "", "", tooFew(distribution, minimum)];
  const { p50, p75, p90, p95, p90Interval } = values;
  return [
    ...first,
    ...[p50, p75, p90, p95].map(showBound),
    showInterval(p90Interval),
    p90.ms > 0 ? show(p90.pull) : "",
  ];
}
