import { MEASURES, STAGES } from "@skein/delivery-metrics";
import type {
  DeliveryReport,
  Distribution,
  Measure,
  PullRef,
} from "@skein/delivery-metrics";
import { COMPARED_WORDS, showBound, showInterval, tooFew } from "./words.js";

/** One distribution of a report, with its words. */
export interface Row {
  readonly words: string;
  readonly distribution: Distribution;
}

/** The headline first. Builds stand between the measures and the stages. */
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

/** Stages that took any time, in their order. */
export function stageRows({ stages }: DeliveryReport): readonly Row[] {
  return STAGES.filter((name) => (stages[name].values?.p95.ms ?? 0) > 0).map(
    (name) => ({ words: COMPARED_WORDS[name], distribution: stages[name] }),
  );
}

/** Above the columns of a distribution that hold numbers, and of the two behind them. */
export const NUMBER_TITLES = ["n", "P50", "P75", "P90", "P95"];
export const LAST_TITLES = ["95 % of the P90", "the P90 is"];

/**
 * A row's cells: its words, then one of each column.
 * @param minimum of values, below which there are none of them
 * @param show how the pull request is named that the P90 is
 */
export function cellsOf(
  { words, distribution }: Row,
  minimum: number,
  show: (pull: PullRef) => string,
): string[] {
  const { n, values } = distribution;
  const first = [words, n.toLocaleString("en-US")];
  if (!values) return [...first, "", "", "", "", tooFew(distribution, minimum)];
  const { p50, p75, p90, p95, p90Interval } = values;
  return [
    ...first,
    ...[p50, p75, p90, p95].map(showBound),
    showInterval(p90Interval),
    p90.ms > 0 ? show(p90.pull) : "",
  ];
}
