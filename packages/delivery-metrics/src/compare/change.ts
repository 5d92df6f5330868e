import type { Measure } from "../report/report.js";
import type { Stage } from "../report/stages.js";
import { HIGH, LOW } from "../statistics/bootstrap.js";
import { durationsOf } from "../statistics/kaplan-meier.js";
import type { Duration, Durations } from "../statistics/kaplan-meier.js";
import { nearestRank } from "../statistics/nearest-rank.js";

/** A P90 before and after. */
export interface Change {
  readonly of: Measure | Stage | "builds";
  readonly before: ComparedP90;
  readonly after: ComparedP90;
  /**
   * (after - before) / before, in percent: -94.6 means 94.6 % less. Null if a P90 is unknown or only bounded, or was 0.
   */
  readonly percent: number | null;
  /** The 95 % interval of `percent`, by bootstrap; null if it cannot be computed. */
  readonly interval: PercentInterval | null;
}

export interface PercentInterval {
  readonly low: number;
  readonly high: number;
}

export interface ComparedP90 {
  readonly n: number;
  /** Null if there were fewer values than the minimum. */
  readonly ms: number | null;
  /** `ms` is a lower bound: too many pull requests have not ended yet. */
  readonly atLeast: boolean;
}

/** One side of a comparison. */
export interface Side extends ComparedP90 {
  /** Undefined if there are no values, or only the P90 was stored. */
  readonly durations: Durations | undefined;
}

/**
 * Returns a side with these values.
 * @param minimum the number of values below which there is no P90
 */
export function sideOf(values: readonly Duration[], minimum: number): Side {
  const n = values.length;
  if (n === 0 || n < minimum)
    return { n, ms: null, atLeast: false, durations: undefined };
  const durations = durationsOf(values);
  return { n, ...durations.at(90), durations };
}

/**
 * The number of resamples of a comparison. With it, the interval's bounds vary between runs by less than a tenth of its
 * width.
 */
const DRAWS = 4000;

/**
 * Returns the change of a P90, in percent, with the bootstrap's 95 % interval, from pairs of resamples, one of each
 * side. If a P90 is only bounded, the change is null.
 * @param random returns another number from 0 to 1 each time
 */
export function changeOf(
  of: Change["of"],
  before: Side,
  after: Side,
  random: () => number,
): Change {
  const known = ({ n, ms, atLeast }: Side): ComparedP90 => ({
    n,
    ms,
    atLeast,
  });
  const exact = ({ ms, atLeast }: Side) => (atLeast ? null : ms);
  const [from, to] = [exact(before), exact(after)];
  const percent = from === null || to === null ? null : percentOf(from, to);
  return {
    of,
    before: known(before),
    after: known(after),
    percent,
    interval: percent === null ? null : intervalOf(before, after, random),
  };
}

/** Returns (after - before) / before in percent; null if `before` is 0. */
export function percentOf(before: number, after: number): number | null {
  return before === 0 ? null : ((after - before) / before) * 100;
}

function intervalOf(
  { durations: before }: Side,
  { durations: after }: Side,
  random: () => number,
): PercentInterval | null {
  if (!before || !after) return null;
  const percents = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++)
    percents[draw] = drawChange(
      drawP90(before, random()),
      drawP90(after, random()),
    );
  percents.sort();
  const low = percents[nearestRank(DRAWS, LOW * 100)] ?? 0;
  const high = percents[nearestRank(DRAWS, HIGH * 100)] ?? 0;
  return Number.isFinite(high) ? { low, high } : null;
}

/** Returns the change between two draws. Either may be infinite, which means unbounded. */
function drawChange(from: number, to: number): number {
  if (to === Infinity) return Infinity;
  if (from === Infinity) return -100;
  return percentOf(from, to) ?? (to === 0 ? 0 : Infinity);
}

/**
 * Returns the P90 of one resample; infinite if too few of its values have ended.
 * @param quantile a random number from 0 to 1
 */
function drawP90({ lengths, p90Chances }: Durations, quantile: number): number {
  let low = 0;
  let high = lengths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((p90Chances[middle] ?? 1) >= quantile) high = middle;
    else low = middle + 1;
  }
  return lengths[low] ?? Infinity;
}
