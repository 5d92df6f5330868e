import { exchange } from "./exchange.js";
import { longestFirst } from "./longest-first.js";
import { multifit } from "./multifit.js";

/** The distribution of weights over bins. */
export interface Packing {
  /** The bin of each weight, in the order of the weights, from 0. */
  readonly bins: readonly number[];
  /** The sum of each bin. */
  readonly loads: readonly number[];
  /** The sum of the fullest bin. */
  readonly makespan: number;
  /** The lower bound of all packings: max(largest weight, total / bins). */
  readonly lowerBound: number;
}

/** A packing this close to the bound needs no further work, because the difference isn't noticeable. */
const GOOD_ENOUGH = 1.001;

/**
 * Distributes weights over bins so that the fullest bin is as low as possible. Pure and deterministic: the same weights
 * in the same order result in the same bins.
 *
 * Longest first (Graham 1969, at most 4/3 of the best) is nearly always enough. If it isn't, the function tries
 * MULTIFIT (Coffman, Garey, Johnson 1978, at most 13/11). It improves both by moving and swapping weights.
 * @param weights non-negative
 * @param count number of bins, at least 1
 */
export function pack(weights: readonly number[], count: number): Packing {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const largest = weights.reduce((most, each) => Math.max(most, each), 0);
  const lowerBound = Math.max(largest, total / count);
  const enough = lowerBound * GOOD_ENOUGH;
  // Equal weights keep their order, so that the result doesn't depend on the sort algorithm.
  const order = weights
    .map((_, index) => index)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);

  let best: readonly number[] = [];
  let makespan = Infinity;
  for (const start of [longestFirst, multifit]) {
    const found = exchange(
      weights,
      start(weights, order, count),
      count,
      enough,
    );
    const highest = Math.max(...loadsOf(weights, found, count));
    if (highest < makespan) [best, makespan] = [found, highest];
    if (makespan <= enough) break;
  }
  return {
    bins: best,
    loads: loadsOf(weights, best, count),
    makespan,
    lowerBound,
  };
}

/** Returns the sum of each bin. */
function loadsOf(
  weights: readonly number[],
  bins: readonly number[],
  count: number,
): number[] {
  const loads = new Array<number>(count).fill(0);
  weights.forEach((weight, index) => {
    const bin = bins[index] ?? 0;
    loads[bin] = (loads[bin] ?? 0) + weight;
  });
  return loads;
}
