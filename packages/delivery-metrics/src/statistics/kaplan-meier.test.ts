import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { durationsOf, type Duration } from "./kaplan-meier.js";
import { nearestRank } from "./nearest-rank.js";
import { seededRandom } from "./random.js";

const ended = (...list: number[]) => list.map((ms) => ({ ms, ended: true }));
const open = (...list: number[]) => list.map((ms) => ({ ms, ended: false }));

test("the textbook's remissions under 6-MP have the right quartile and median, and a bound for the rest", () => {
  // Freireich et al. 1963, in weeks: 1 - S is 0.143 at 6, 0.310 at 13, 0.462 at 22 and 0.552 at 23. There are no later
  // relapses.
  const durations = durationsOf([
    ...ended(6, 6, 6, 7, 10, 13, 16, 22, 23),
    ...open(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35),
  ]);
  expect([10, 25, 30, 46, 50, 55].map((p) => durations.at(p))).toEqual(
    [6, 13, 13, 22, 23, 23].map((ms) => ({ ms, atLeast: false })),
  );
  expect([56, 90].map((p) => durations.at(p))).toEqual([
    { ms: 23, atLeast: true },
    { ms: 32, atLeast: true },
  ]);
  expect(durations.p90Interval()).toBeUndefined();
});

const anyList = fc.array(
  fc.record({ ms: fc.nat({ max: 40 }), ended: fc.boolean() }),
  { minLength: 1, maxLength: 40 },
);
const anyPercent = fc.integer({ min: 1, max: 100 });

/** Computes the definition with exact fractions: the product over all lengths at which something ended. */
function oracle(list: readonly Duration[], p: number): number | undefined {
  let [longer, of] = [1n, 1n];
  for (let ms = 0; ms <= 40; ms++) {
    const there = list.filter((each) => each.ms >= ms).length;
    const ends = list.filter((each) => each.ms === ms && each.ended).length;
    if (ends === 0) continue;
    longer *= BigInt(there - ends);
    of *= BigInt(there);
    if ((of - longer) * 100n >= BigInt(p) * of) return ms;
  }
  return undefined;
}

test("a percentile is the product-limit estimate, or a bound if that is never reached", () => {
  fc.assert(
    fc.property(anyList, anyPercent, (list, p) => {
      const ms = oracle(list, p);
      const ages = list.map((each) => each.ms).sort((a, b) => a - b);
      const ends = list.filter((each) => each.ended).map((each) => each.ms);
      const bound = Math.max(ages[nearestRank(ages.length, p)] ?? 0, ...ends);
      expect(durationsOf(list).at(p)).toEqual(
        ms === undefined
          ? { ms: bound, atLeast: true }
          : { ms, atLeast: false },
      );
      expect(
        durationsOf(list).at(Math.min(100, p + 5)).ms,
      ).toBeGreaterThanOrEqual(durationsOf(list).at(p).ms);
    }),
    { numRuns: 500 },
  );
});

test("an unfinished value never shortens a percentile, and neither does its later end", () => {
  fc.assert(
    fc.property(anyList, anyPercent, (list, p) => {
      const whole = list.map(({ ms }) => ({ ms, ended: true }));
      const survivors = list.filter((each) => each.ended);
      const { ms } = durationsOf(list).at(p);
      expect(ms).toBeGreaterThanOrEqual(durationsOf(whole).at(p).ms);
      const later = list.map((each) =>
        each.ended ? each : { ms: each.ms + 100, ended: true },
      );
      const bound = durationsOf(list).at(p);
      if (bound.atLeast)
        expect(durationsOf(later).at(p).ms).toBeGreaterThanOrEqual(bound.ms);
      else if (survivors.length > 0)
        expect(ms).toBeGreaterThanOrEqual(durationsOf(survivors).at(p).ms);
    }),
  );
});

test("the chance of a resample's P90 never falls with its length, although the effective number of values falls", () => {
  const random = seededRandom(5);
  for (let count = 0; count < 200; count++) {
    const part = random();
    const list = Array.from({ length: 120 }, () => ({
      ms: random(),
      ended: random() < part,
    }));
    const chances = Array.from(durationsOf(list).p90Chances);
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
  }
});

test("if all values have ended, the interval by shares equals the one by places", () => {
  const values = fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, (list) => {
      // An unfinished one of length 0 has no weight, because it is censored before the first end.
      const all = list.map((ms) => ({ ms: ms + 1, ended: true }));
      const durations = durationsOf([...all, { ms: 0, ended: false }]);
      expect(durations.p90Interval()).toEqual(durationsOf(all).p90Interval());
      expect(durations.at(90)).toEqual(durationsOf(all).at(90));
    }),
  );
});

test("the interval is close to that of resampled pairs (Efron 1981), and has no upper bound if too few have ended", () => {
  const random = seededRandom(11);
  const list = Array.from({ length: 300 }, () => {
    const [ms, until] = [random() ** 2 * 100, random() * 250];
    return ms <= until ? { ms, ended: true } : { ms: until, ended: false };
  });
  const draws = Array.from(
    { length: 600 },
    () =>
      durationsOf(
        list.map(
          () =>
            list[Math.floor(random() * list.length)] ?? { ms: 0, ended: true },
        ),
      ).at(90).ms,
  ).sort((a, b) => a - b);
  const { low, high } = durationsOf(list).p90Interval() ?? {};
  const width = (draws[584] ?? 0) - (draws[14] ?? 0);
  expect(Math.abs((low ?? 0) - (draws[14] ?? 0))).toBeLessThan(width / 4);
  expect(Math.abs((high ?? 0) - (draws[584] ?? 0))).toBeLessThan(width / 4);

  const few = durationsOf([
    ...ended(...Array.from({ length: 28 }, (_, ms) => ms)),
    ...open(50, 50),
  ]);
  expect(few.at(90)).toEqual({ ms: 26, atLeast: false });
  expect(few.p90Interval()).toEqual({ low: 22, high: null });
});
