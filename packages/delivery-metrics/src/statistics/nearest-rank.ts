/**
 * Returns the place of a percentile by nearest rank among n values in ascending order: the smallest value such that at
 * least p of 100 values do not exceed it. It is always one of the values, never interpolated.
 * @param n at least 1
 * @param p above 0, up to 100
 * @returns 0-based
 */
export function nearestRank(n: number, p: number): number {
  // This multiplies before it divides: 0.55 * 100 is 55.00000000000001 in binary.
  return Math.max(1, Math.ceil((p * n) / 100)) - 1;
}
