import { longestFirst } from "./longest-first.js";

/** The number of bisections. Each costs one first-fit. After this many, the interval is below a thousandth. */
const ROUNDS = 12;

/**
 * Packs with MULTIFIT: a bisection for the lowest capacity at which first-fit, longest weight first, needs no more than
 * the given number of bins.
 */
export function multifit(
  weights: readonly number[],
  order: readonly number[],
  count: number,
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const largest = weights[order[0] ?? 0] ?? 0;
  let low = Math.max(largest, total / count);
  // First-fit always succeeds with this capacity (Coffman, Garey, Johnson).
  let high = Math.max(largest, (2 * total) / count);
  let best: number[] | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const capacity = round === 0 ? low : (low + high) / 2;
    const found = firstFit(weights, order, count, capacity);
    if (found) {
      best = found;
      high = capacity;
    } else low = capacity;
  }
  return (
    best ??
    firstFit(weights, order, count, high) ??
    longestFirst(weights, order, count)
  );
}

function firstFit(
  weights: readonly number[],
  order: readonly number[],
  count: number,
  capacity: number,
): number[] | undefined {
  const bins = new Array<number>(weights.length).fill(0);
  const loads = new Array<number>(count).fill(0);
  for (const index of order) {
    const weight = weights[index] ?? 0;
    const bin = loads.findIndex((load) => load + weight <= capacity);
    if (bin < 0) return undefined;
    bins[index] = bin;
    loads[bin] = (loads[bin] ?? 0) + weight;
  }
  return bins;
}
