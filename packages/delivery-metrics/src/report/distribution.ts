import { bootstrapPlace, HIGH, LOW } from "../statistics/bootstrap.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Distribution, Interval, PullRef } from "./report.js";

/** A span of one pull request. Milliseconds. */
export interface Sample {
  readonly ref: PullRef;
  readonly ms: number;
}

/** By repository and number. */
export function byRef(a: PullRef, b: PullRef): number {
  return a.repository === b.repository
    ? a.pull - b.pull
    : a.repository < b.repository
      ? -1
      : 1;
}

/**
 * Percentiles by nearest rank.
 * @param samples in order of their pull requests (`byRef`), so that of equal ones a percentile's is always the same
 * @param minimum fewer have none
 */
export function distribution(
  samples: readonly Sample[],
  minimum: number,
): Distribution {
  const n = samples.length;
  if (n === 0 || n < minimum) return { n, values: null };
  const sorted = Float64Array.from(samples, ({ ms }) => ms).sort();
  const at = (p: number) => {
    const rank = nearestRank(n, p);
    const own = sorted[rank];
    const equals = samples.filter(({ ms }) => ms === own);
    const sample = equals[rank - sorted.indexOf(own ?? NaN)];
    if (!sample) throw new RangeError("no such rank");
    const { ms, ref } = sample;
    return { ms, pull: ref };
  };
  return {
    n,
    values: {
      p50: at(50),
      p75: at(75),
      p90: at(90),
      p95: at(95),
      p90Interval: p90Interval(sorted),
    },
  };
}

/** The bootstrap's 95 % interval of a P90. @param sorted in ascending order, at least one */
export function p90Interval(sorted: ArrayLike<number>): Interval {
  const at = (quantile: number) =>
    sorted[bootstrapPlace(sorted.length, 90, quantile)] ?? 0;
  return { low: at(LOW), high: at(HIGH) };
}
