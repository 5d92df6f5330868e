import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { bootstrapPlace, chanceUpTo, HIGH, LOW } from "./bootstrap.js";
import { incompleteBeta } from "./incomplete-beta.js";
import { nearestRank } from "./nearest-rank.js";
import { seededRandom } from "./random.js";

test("a percentile is the smallest value that the given share doesn't exceed", () => {
  const percent = fc.integer({ min: 1, max: 100 });
  const values = fc.array(fc.integer(), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, percent, (list, p) => {
      const sorted = list.toSorted((a, b) => a - b);
      const oracle = sorted.find(
        (value) =>
          list.filter((each) => each <= value).length * 100 >= p * list.length,
      );
      expect(sorted[nearestRank(list.length, p)]).toBe(oracle);
    }),
    { numRuns: 1000 },
  );
});

/** Computes P(X >= k) of a binomial, term by term. */
function binomialTail(n: number, q: number, k: number): number {
  let sum = 0;
  for (let i = k; i <= n; i++) {
    let term = 1;
    for (let j = 1; j <= i; j++) term *= ((n - i + j) / j) * q;
    sum += term * (1 - q) ** (n - i);
  }
  return sum;
}

test("the incomplete beta function is the tail of a binomial", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, k, q) => {
        fc.pre(k <= n);
        expect(incompleteBeta(k, n - k + 1, q)).toBeCloseTo(
          binomialTail(n, q, k),
          10,
        );
      },
    ),
  );
});

test("the incomplete beta function is exact for many values", () => {
  // The median of a symmetrical beta is a half.
  expect(incompleteBeta(5e5, 5e5, 0.5)).toBeCloseTo(0.5, 9);
  expect(incompleteBeta(2, 3, 0)).toBe(0);
  expect(incompleteBeta(2, 3, 1)).toBe(1);
  expect(incompleteBeta(0.5, 0.5, 0.25)).toBeCloseTo(1 / 3, 12);
});

test.each([
  [2, 50],
  [3, 90],
  [4, 75],
  [5, 90],
])(
  "of all resamples of %i values, each P%i is as frequent as computed",
  (n, p) => {
    const resamples = n ** n;
    const counts = Array<number>(n).fill(0);
    for (let code = 0; code < resamples; code++) {
      const drawn = Array.from(
        { length: n },
        (_, digit) => Math.floor(code / n ** digit) % n,
      ).sort((a, b) => a - b);
      const place = drawn[nearestRank(n, p)] ?? 0;
      counts[place] = (counts[place] ?? 0) + 1;
    }
    let upTo = 0;
    for (const [place, times] of counts.entries()) {
      upTo += times / resamples;
      expect(chanceUpTo(place, n, p)).toBeCloseTo(upTo, 12);
    }
  },
);

test("the interval equals that of many resamples", () => {
  const n = 200;
  const random = seededRandom(7);
  // Typed arrays sort numbers without a comparison function, in a twentieth of the time.
  const resample = new Uint8Array(n);
  const drawn = Array.from({ length: 5_000 }, () => {
    for (let each = 0; each < n; each++)
      resample[each] = Math.floor(random() * n);
    return resample.sort()[nearestRank(n, 90)] ?? 0;
  }).sort((a, b) => a - b);
  for (const quantile of [LOW, HIGH]) {
    const monteCarlo = drawn[Math.ceil(quantile * drawn.length) - 1] ?? 0;
    expect(Math.abs(bootstrapPlace(n, 90, quantile) - monteCarlo)).toBeLessThan(
      2,
    );
  }
});

test("a seed always has the same numbers, and they are spread", () => {
  const random = seededRandom(1);
  const numbers = Array.from({ length: 10_000 }, random);
  expect(numbers.slice(0, 3)).toEqual([
    0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
  ]);
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  expect(mean).toBeCloseTo(0.5, 1);
  expect(new Set(numbers).size).toBeGreaterThan(9_990);
});
