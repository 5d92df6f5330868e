import type { Rate } from "./report.js";

/** Returns the sum of a value over a list. */
export function total<T>(
  list: readonly T[],
  value: (each: T) => number,
): number {
  return list.reduce((sum, each) => sum + value(each), 0);
}

/** Returns a count, its total, and their ratio; the ratio is null if the total is 0. */
export function rate(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of };
}
