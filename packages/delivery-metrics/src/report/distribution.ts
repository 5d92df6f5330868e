import { bootstrapPlace, HIGH, LOW } from "../statistics/bootstrap.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Distribution, Interval, PullRef } from "./report.js";

/** A span of one pull request. Milliseconds. */
export interface Sample extends PullRef {
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

/** In ascending order; equals stay in the order given. */
export function ascending<Each extends Pick<Sample, "ms">>(
  samples: readonly Each[],
): readonly Each[] {
  return samples.toSorted((a, b) => a.ms - b.ms);
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
  const sorted = ascending(samples);
  const at = (p: number) => {
    const sample = sorted[nearestRank(n, p)];
    if (!sample) throw new RangeError("no such rank");
    const { ms, repository, pull } = sample;
    return { ms, pull: { repository, pull } };
  };
  return {
    n,
    values: {
      p50: at(50),
      p75: at(75),
      p90: at(90),
      p95: at(95),
      p90Interval: p90Interval(sorted.map(({ ms }) => ms)),
    },
  };
}

/** The bootstrap's 95 % interval of a P90. @param sorted in ascending order, at least one */
export function p90Interval(sorted: readonly number[]): Interval {
  const at = (quantile: number) =>
    sorted[bootstrapPlace(sorted.length, 90, quantile)] ?? 0;
  return { low: at(LOW), high: at(HIGH) };
}
