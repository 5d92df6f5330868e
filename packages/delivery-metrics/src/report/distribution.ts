import { durationsOf } from "../statistics/kaplan-meier.js";
import type { Duration } from "../statistics/kaplan-meier.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Distribution, Percentile, PullRef } from "./report.js";

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
