/**
 * Returns the place of a percentile by nearest rank, among n values in ascending order: the smallest value that at
 * least p of 100 do not
 * exceed. It is one of the values, never something between two.
 * @param n at least 1
 * @param p above 0, up to 100
 * @returns 0-based
 */
export function nearestRank(n: number, p: number): number {
  // In hundredths, since 0.9 * 10 is not 9 in binary.
  return Math.max(1, Math.ceil((p * n) / 100)) - 1;
}
