import { bootstrapPlace, chanceAtShare, HIGH, LOW } from "./bootstrap.js";
import { nearestRank } from "./nearest-rank.js";

/** How long something took; or, where it has not ended, how long it has taken so far. */
export interface Duration {
  readonly ms: number;
  readonly ended: boolean;
}

/** A percentile of durations of which some may not have ended. */
export interface Estimate {
  readonly ms: number;
  /** Too few have ended to know the percentile: it is `ms` or more. */
  readonly atLeast: boolean;
}

/** A 95 % interval; `high` is null where too few have ended to bound it. */
export interface Bounds95 {
  readonly low: number;
  readonly high: number | null;
}

/** The estimate of each percentile from durations. */
export interface Durations {
  /** Those that have not ended count. */
  readonly n: number;
  /** Returns a percentile. @param p above 0, up to 100 */
  at(p: number): Estimate;
  /** Returns the 95 % interval of the P90; undefined where the P90 itself is only bounded. */
  p90Interval(): Bounds95 | undefined;
  /** The lengths that a resample's P90 can have, in ascending order. */
  readonly lengths: ArrayLike<number>;
  /**
   * By length: the chance that the P90 of a resample is at most that. The last is below 1 where a resample's P90 may be
   * unbounded.
   */
  readonly p90Chances: ArrayLike<number>;
}

/**
 * Estimates percentiles of durations. Those that have not ended are right-censored: their length is known to be at
 * least what it is so
 * far. To leave them out would keep the survivors alone, and to take them at their age would be too short; so each
 * weighs on all
 * lengths from its own on (the product-limit estimate: Kaplan & Meier 1958, "Nonparametric estimation from incomplete
 * observations", JASA 53:457-481). Where all have ended this is the percentile by nearest rank.
 *
 * Where so few have ended that the estimate never reaches a percentile, its bound is the percentile by nearest rank
 * with everything at
 * its age, which no later end can shorten; or the longest that has ended, where that is longer.
 * @param list at least one; in any order
 */
export function durationsOf(list: readonly Duration[]): Durations {
  const sorted = Float64Array.from(list, ({ ms }) => ms).sort();
  return list.every(({ ended }) => ended)
    ? complete(sorted)
    : censored(list, sorted);
}

/** All have ended: the exact bootstrap, by places. */
function complete(sorted: Float64Array): Durations {
  const n = sorted.length;
  const value = (place: number) => sorted[place] ?? 0;
  return {
    n,
    at: (p) => ({ ms: value(nearestRank(n, p)), atLeast: false }),
    p90Interval: () => ({
      low: value(bootstrapPlace(n, 90, LOW)),
      high: value(bootstrapPlace(n, 90, HIGH)),
    }),
    lengths: sorted,
    get p90Chances() {
      return chancesOf(n);
    },
  };
}

/** By number of values, on which alone they depend. */
const known = new Map<number, Float64Array>();

function chancesOf(n: number): Float64Array {
  let chances = known.get(n);
  if (!chances) {
    chances = Float64Array.from({ length: n }, (_, place) =>
      chanceAtShare((place + 1) / n, n, 90),
    );
    known.set(n, chances);
  }
  return chances;
}

/** Shares are sums of rounded numbers: 0.9 may be a trillionth less. */
const ROUNDING = 1e-9;

/**
 * Returns the product-limit curve: at each length at which something ended, which share took no longer, and how sure
 * that is.
 */
function censored(list: readonly Duration[], ages: Float64Array): Durations {
  const steps = stepsOf(list);
  const lengths = steps.map(({ ms }) => ms);
  const p90Chances = chancesAlong(steps);
  const from = (chance: number) =>
    lengths[p90Chances.findIndex((each) => each >= chance)];
  const at = (p: number): Estimate => {
    const step = steps.find(({ share }) => share * 100 >= p - ROUNDING);
    if (step) return { ms: step.ms, atLeast: false };
    const age = ages[nearestRank(ages.length, p)] ?? 0;
    return { ms: Math.max(age, lengths.at(-1) ?? 0), atLeast: true };
  };
  return {
    n: list.length,
    at,
    p90Interval: () =>
      at(90).atLeast
        ? undefined
        : { low: from(LOW) ?? 0, high: from(HIGH) ?? null },
    lengths,
    p90Chances,
  };
}

/** A length at which something ended. */
interface Step {
  readonly ms: number;
  /** Of all, those that took no longer: from 0 to 1. */
  readonly share: number;
  /**
   * So many values without censoring would know the share as well: its variance, by Greenwood's formula, is that of
   * their binomial.
   */
  readonly effective: number;
}

function stepsOf(list: readonly Duration[]): readonly Step[] {
  // Observations censored at a length were still at risk when others ended with it: equal lengths are one step.
  const sorted = list.toSorted((a, b) => a.ms - b.ms);
  const steps: Step[] = [];
  let longer = 1;
  let greenwood = 0;
  for (let index = 0; index < sorted.length;) {
    const ms = sorted[index]?.ms ?? 0;
    const atRisk = sorted.length - index;
    let ends = 0;
    for (; sorted[index]?.ms === ms; index++) if (sorted[index]?.ended) ends++;
    if (ends === 0) continue;
    longer *= (atRisk - ends) / atRisk;
    greenwood += ends / (atRisk * (atRisk - ends));
    steps.push({
      ms,
      share: 1 - longer,
      effective: longer === 0 ? atRisk : (1 - longer) / (longer * greenwood),
    });
  }
  return steps;
}

/**
 * By step: the chance that the P90 of a resample is at most its length, which is that of a resample of as many values
 * as are known
 * in effect (Dorey & Korn 1987, "Effective sample sizes for confidence intervals for survival probabilities", Statistics in
 * Medicine 6:679-687). The interval between two chances is then Brookmeyer & Crowley's (1982, Biometrics 38:29-41), with an
 * exact binomial instead of a normal curve. It never falls.
 */
function chancesAlong(steps: readonly Step[]): readonly number[] {
  let most = 0;
  return steps.map(({ share, effective }) => {
    const size = Math.max(1, Math.round(effective));
    most = Math.max(most, chanceAtShare(share, size, 90));
    return most;
  });
}
