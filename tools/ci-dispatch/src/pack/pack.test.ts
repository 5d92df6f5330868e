import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { pack } from "./pack.js";

/**
 * Returns durations like those of real workspaces: most are short, a few are very long (log-normal, by fixed
 * quantiles).
 */
function realistic(count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const u = (index + 0.5) / count;
    const z = Math.sign(u - 0.5) * Math.sqrt(-2 * Math.log(Math.min(u, 1 - u)));
    return Math.round(
      24_000 * Math.exp(1.25 * (Math.abs(z) < 0.01 ? 0 : z * 0.8)),
    );
  });
}

/** Finds the best packing by trying all of them: the oracle for small cases. */
function best(weights: readonly number[], count: number): number {
  const loads = new Array<number>(count).fill(0);
  let lowest = Infinity;
  const place = (index: number): void => {
    if (index === weights.length) {
      lowest = Math.min(lowest, Math.max(...loads));
      return;
    }
    for (let bin = 0; bin < count; bin++) {
      loads[bin] = (loads[bin] ?? 0) + (weights[index] ?? 0);
      place(index + 1);
      loads[bin] = (loads[bin] ?? 0) - (weights[index] ?? 0);
    }
  };
  place(0);
  return lowest;
}

describe("a packing", () => {
  test("contains every weight once, and is within 13/11 of the optimum", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), {
          minLength: 1,
          maxLength: 7,
        }),
        fc.integer({ min: 1, max: 4 }),
        (weights, count) => {
          const { bins, loads, makespan, lowerBound } = pack(weights, count);
          expect(bins).toHaveLength(weights.length);
          const summed = new Array<number>(count).fill(0);
          bins.forEach((bin, index) => {
            summed[bin] = (summed[bin] ?? 0) + (weights[index] ?? 0);
          });
          expect(loads).toEqual(summed);
          expect(makespan).toBe(Math.max(...summed));
          const optimum = best(weights, count);
          expect(lowerBound).toBeLessThanOrEqual(optimum);
          expect(makespan).toBeLessThanOrEqual((optimum * 13) / 11 + 1e-9);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("of 71 packages is within 2 % of the lower bound for every number of machines up to 256", () => {
    const weights = realistic(71);
    const above = Array.from({ length: 256 }, (_, index) => {
      const { makespan, lowerBound } = pack(weights, index + 1);
      return { machines: index + 1, ratio: makespan / lowerBound };
    }).filter(({ ratio }) => ratio > 1.02);
    expect(above).toEqual([]);
  });

  test("swaps and moves weights if longest-first is a sixth too long", () => {
    // Longest first results in 3+2+2 and 3+2, which is 7. The best is 3+3 and 2+2+2, which is 6.
    expect(pack([3, 3, 2, 2, 2], 2)).toMatchObject({
      makespan: 6,
      lowerBound: 6,
    });
    // Longest first results in 11, although 9 is possible.
    expect(pack([5, 5, 4, 4, 3, 3, 3], 3)).toMatchObject({ makespan: 9 });
  });

  test("of no weights has empty bins", () => {
    expect(pack([], 3)).toEqual({
      bins: [],
      loads: [0, 0, 0],
      makespan: 0,
      lowerBound: 0,
    });
  });

  test("is the same for the same weights", () => {
    const weights = realistic(500);
    expect(pack(weights, 37)).toEqual(pack(weights, 37));
  });
});
