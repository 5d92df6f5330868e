import type { Rate } from "./report.js";

/** Returns a count, its total, and their ratio; the ratio is null if the total is 0. */
export function rate(count: number, of: number): Rate {
  return { count, of, rate: of === 0 ? null : count / of };
}
