import { durationsOf, type Duration } from "../statistics/kaplan-meier.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { PullRef } from "./report.js";

/** A percentile, which is the value of an actual pull request. */
export interface Percentile {
  readonly ms: number;
  /** Whether so many pull requests have not ended that the percentile is only known to be `ms` or more. */
  readonly atLeast: boolean;
  readonly pull: PullRef;
}

/** The percentiles of a distribution. */
export const PERCENTILES = [50, 75, 90, 95] as const;

export interface Distribution {
  /** The number of values. */
  readonly n: number;
  /** The number of values that have not ended. Each counts as at least its time so far. */
  readonly unfinished: number;
  /** Null if there are fewer values than the report's minimum. */
  readonly values: Percentiles | null;
}

export interface Percentiles {
  readonly p50: Percentile;
  readonly p75: Percentile;
  readonly p90: Percentile;
  readonly p95: Percentile;
  /** The 95 % interval of the P90, by bootstrap. Null if the P90 is only known to be at least some value. */
  readonly p90Interval: Interval | null;
}

export interface Interval {
  readonly low: number;
  /** Null if too few have ended for a bound. */
  readonly high: number | null;
}

/** A duration of one pull request, in milliseconds. */
export interface Sample extends Duration {
  readonly ref: PullRef;
}

/** Compares pull requests by repository and number. */
export function byRef(a: PullRef, b: PullRef): number {
  return a.repository === b.repository
    ? a.pull - b.pull
    : a.repository < b.repository
      ? -1
      : 1;
}

/**
 * Returns the percentiles of durations. Each is the value of a pull request: by nearest rank if all have ended, else by
 * the product-limit estimate (`durationsOf`).
 * @param samples in order of their pull requests (`byRef`), so that a percentile among equal samples always has the
 *   same pull request
 * @param minimum the number of samples below which there are no percentiles
 */
export function distribution(
  samples: readonly Sample[],
  minimum: number,
): Distribution {
  const n = samples.length;
  const unfinished = samples.filter(({ ended }) => !ended).length;
  if (n === 0 || n < minimum) return { n, unfinished, values: null };
  const durations = durationsOf(samples);
  const sorted = Float64Array.from(samples, ({ ms }) => ms).sort();
  const at = (p: number): Percentile => {
    const { ms, atLeast } = durations.at(p);
    const equals = samples.filter(
      (each) => each.ms === ms && (atLeast || each.ended),
    );
    const sample =
      equals[nearestRank(n, p) - sorted.indexOf(ms)] ?? equals.at(-1);
    if (!sample) throw new RangeError("no such rank");
    return { ms, atLeast, pull: sample.ref };
  };
  return {
    n,
    unfinished,
    values: {
      p50: at(50),
      p75: at(75),
      p90: at(90),
      p95: at(95),
      p90Interval: durations.p90Interval() ?? null,
    },
  };
}
