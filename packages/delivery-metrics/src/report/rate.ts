import type { Rate } from "./report.js";

/** Returns the sum of a value over a list. */
export function total<T>(
  list: readonly T[],
  value: (each: T) => number,
): number {
  return list.reduce((sum, each) => sum + value(each), 0);
}

/** Returns how many of how many, and their ratio; of nothing there is none. */
export function rate(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of };
}
