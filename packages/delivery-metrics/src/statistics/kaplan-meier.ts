import { bootstrapPlace, chanceAtShare, HIGH, LOW } from "./bootstrap.js";
import { nearestRank } from "./nearest-rank.js";

/** A duration; if it has not ended, the duration so far. */
export interface Duration {
  readonly ms: number;
  readonly ended: boolean;
}

/** A percentile of durations, some of which may not have ended. */
export interface Estimate {
  readonly ms: number;
  /** Whether too few have ended to know the percentile. Then it is `ms` or more. */
  readonly atLeast: boolean;
}

/** A 95 % interval; `high` is null if too few have ended for a bound. */
export interface Bounds95 {
  readonly low: number;
  readonly high: number | null;
}

/** Durations with the estimates of their percentiles. */
export interface Durations {
  /** The number of durations, including those that have not ended. */
  readonly n: number;
  /**
   * Returns a percentile.
   * @param p above 0, up to 100
   */
  at(p: number): Estimate;
  /** Returns the 95 % interval of the P90; undefined if the P90 itself is only bounded. */
  p90Interval(): Bounds95 | undefined;
  /** The lengths that a resample's P90 can have, in ascending order. */
  readonly lengths: ArrayLike<number>;
  /**
   * For each length, the chance that the P90 of a resample is at most that. The last is below 1 if a resample's P90 may
   * be unbounded.
   */
  readonly p90Chances: ArrayLike<number>;
}

/**
 * Estimates percentiles of durations. Durations that have not ended are right-censored: they are known to be at least
 * their length so far. Leaving them out would be survivorship bias, and using their current length would be too short.
 * So each counts towards all lengths from its own on (the product-limit estimate: Kaplan & Meier 1958, "Nonparametric
 * estimation from incomplete observations", JASA 53:457-481). If all have ended, this is the percentile by nearest
 * rank.
 *
 * If too few have ended for the estimate to reach a percentile, the result is a lower bound: the percentile by nearest
 * rank over all current lengths, which later ends cannot reduce; or the longest duration that has ended, if it is
 * longer.
 * @param list at least one; in any order
 */
export function durationsOf(list: readonly Duration[]): Durations {
  const sorted = Float64Array.from(list, ({ ms }) => ms).sort();
  return list.every(({ ended }) => ended)
    ? complete(sorted)
    : censored(list, sorted);
}

/** Estimates durations that have all ended, by the exact bootstrap. */
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

/** A cache by number of values. The chances depend on nothing else. */
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

/** A tolerance, because shares are sums of rounded numbers: 0.9 may be a trillionth less. */
const ROUNDING = 1e-9;

/**
 * Estimates durations, some of which have not ended, by the product-limit curve: for each length at which something
 * ended, the share that took no longer, and how certain that share is.
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
  /** The share of all that took no longer: from 0 to 1. */
  readonly share: number;
  /**
   * The number of uncensored values with which the share would have the same variance. The variance is from Greenwood's
   * formula, and is compared with that of a binomial.
   */
  readonly effective: number;
}

function stepsOf(list: readonly Duration[]): readonly Step[] {
  // Values that were censored at a length were still at risk when others ended with that length, so equal lengths are
  // one step.
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
 * Returns for each step the chance that the P90 of a resample is at most its length. The size of the resample is the
 * effective number of values (Dorey & Korn 1987, "Effective sample sizes for confidence intervals for survival
 * probabilities", Statistics in Medicine 6:679-687). The interval between two chances is then that of Brookmeyer &
 * Crowley (1982, Biometrics 38:29-41), with an exact binomial instead of a normal curve. The chances never decrease.
 */
function chancesAlong(steps: readonly Step[]): readonly number[] {
  let most = 0;
  return steps.map(({ share, effective }) => {
    const size = Math.max(1, Math.round(effective));
    most = Math.max(most, chanceAtShare(share, size, 90));
    return most;
  });
}
