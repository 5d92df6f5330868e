import { chanceUpTo, HIGH, LOW } from "../statistics/bootstrap.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Change, ComparedP90, Interval } from "../report/report.js";

/** One side of a comparison. */
export interface Side extends ComparedP90 {
  /** All values, in ascending order; undefined where only the P90 was kept. */
  readonly sorted: readonly number[] | undefined;
}

/** A side of values. @param minimum fewer have no P90 */
export function sideOf(values: readonly number[], minimum: number): Side {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const enough = n > 0 && n >= minimum;
  return {
    n,
    ms: enough ? (sorted[nearestRank(n, 90)] ?? null) : null,
    sorted,
  };
}

/** Resamples of a comparison: the interval's bounds then differ by less than a tenth of its width from run to run. */
const DRAWS = 4000;

/**
 * How a P90 has changed, in percent, with the bootstrap's 95 % interval: of pairs of resamples, one of each side.
 * @param random from 0 to 1, another one each time
 */
export function changeOf(
  of: Change["of"],
  before: Side,
  after: Side,
  random: () => number,
): Change {
  const known = ({ n, ms }: Side): ComparedP90 => ({ n, ms });
  const percent =
    before.ms === null || after.ms === null
      ? null
      : percentOf(before.ms, after.ms);
  return {
    of,
    before: known(before),
    after: known(after),
    percent,
    interval: percent === null ? null : intervalOf(before, after, random),
  };
}

/** (after - before) / before; null where there was nothing. */
export function percentOf(before: number, after: number): number | null {
  return before === 0 ? null : ((after - before) / before) * 100;
}

function intervalOf(
  { sorted: before }: Side,
  { sorted: after }: Side,
  random: () => number,
): Interval | null {
  if (!before || !after) return null;
  const percents = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    const from = drawP90(before, random());
    const to = drawP90(after, random());
    percents[draw] =
      percentOf(from, to) ?? (to === 0 ? 0 : Number.POSITIVE_INFINITY);
  }
  percents.sort();
  const low = percents[nearestRank(DRAWS, LOW * 100)] ?? 0;
  const high = percents[nearestRank(DRAWS, HIGH * 100)] ?? 0;
  return Number.isFinite(high) ? { low, high } : null;
}

/** The P90 of one resample. @param quantile a random number from 0 to 1 */
function drawP90(sorted: readonly number[], quantile: number): number {
  const chances = chancesOf(sorted.length);
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chances[middle] ?? 1) >= quantile) high = middle;
    else low = middle + 1;
  }
  return sorted[low] ?? 0;
}

/** Depends on how many values there are, and on nothing else. */
const known = new Map<number, Float64Array>();

function chancesOf(n: number): Float64Array {
  let chances = known.get(n);
  if (!chances) {
    chances = Float64Array.from({ length: n }, (_, place) =>
      chanceUpTo(place, n, 90),
    );
    known.set(n, chances);
  }
  return chances;
}
