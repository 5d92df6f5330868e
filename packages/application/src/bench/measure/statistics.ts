/** Returns the median: the middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const below = sorted[Math.ceil(middle) - 1] ?? NaN;
  const above = sorted[Math.floor(middle)] ?? NaN;
  return (below + above) / 2;
}
