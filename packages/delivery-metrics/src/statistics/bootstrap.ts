import { incompleteBeta } from "./incomplete-beta.js";
import { nearestRank } from "./nearest-rank.js";

/** The bounds of the middle 95 %. */
export const LOW = 0.025;
/** The upper bound of the middle 95 %. */
export const HIGH = 0.975;

/**
 * Returns the chance that the percentile of a resample of n values, with replacement, is at most the value at `place`.
 * The percentile is the k-th smallest value, where k is its rank. It is at most that value if at least k of n draws
 * are. That is a binomial tail, so no resample has to be drawn (Hutson & Ernst 2000, "The exact bootstrap mean and
 * variance of an L-estimator").
 * @param place 0-based among the n values in ascending order
 */
export function chanceUpTo(place: number, n: number, p: number): number {
  return chanceAtShare((place + 1) / n, n, p);
}

/**
 * Returns the same chance for a share instead of a place.
 * @param share the share of the values that are not above a length: from 0 to 1
 * @returns the chance that the percentile of n draws is at most that length
 */
export function chanceAtShare(share: number, n: number, p: number): number {
  const k = nearestRank(n, p) + 1;
  return incompleteBeta(k, n - k + 1, share);
}

/**
 * Returns the place of a quantile of the bootstrap's distribution of a percentile.
 * @param n at least 1
 * @param quantile from 0 to 1; a random number draws one resample's percentile
 * @returns 0-based among the n values in ascending order
 */
export function bootstrapPlace(n: number, p: number, quantile: number): number {
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chanceUpTo(middle, n, p) >= quantile) high = middle;
    else low = middle + 1;
  }
  return low;
}
