import { durationsOf, type Duration } from "../statistics/kaplan-meier.js";
import type { Interval } from "./distribution.js";
import type { Measured } from "./measured.js";
import { headlineAt } from "./samples.js";
import { DAY_MS, within, type Bounds } from "./windows.js";

/** The trailing window at the end of a day in UTC. */
export interface SeriesPoint {
  /** `2026-01-31` */
  readonly day: string;
  /** The number of pull requests that ended on that day. */
  readonly delivered: number;
  /** The number of pull requests in the window that ends with the day. */
  readonly n: number;
  /** The P90 of the headline; null if there are fewer values than the minimum. */
  readonly p90: number | null;
  /** `p90` is a lower bound: too many pull requests had not ended by then. */
  readonly atLeast: boolean;
  /** Null if there is no P90, or only a bound of it. */
  readonly interval: Interval | null;
  /** The P90 of the pull requests that ended on that day only; null if there are fewer than the minimum. */
  readonly dayP90: number | null;
}

/**
 * Returns the trailing P90 of the headline at the end of each day of a window. For the current day, the end is that of
 * the window. A pull request that was merged in a point's window and had not ended by then counts as at least its time
 * up to then, as in that day's report.
 * @param all the pull requests of twice the window
 */
export function seriesOf(
  all: readonly Measured[],
  { from, to }: Bounds,
  minimum: number,
): readonly SeriesPoint[] {
  // Each day reads these numbers, so they are unpacked only once.
  const withBuilds = all.flatMap((each) => {
    const { merged, ended, headline: ms } = each;
    return ms === null ? [] : [{ each, merged, ended, ms }];
  });
  const points: SeriesPoint[] = [];
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, to);
    const own = { from: Math.max(day, from), to: end };
    const trailing = { from: end - (to - from), to: end };
    const inWindow: Duration[] = [];
    const ofDay: Duration[] = [];
    for (const { each, merged, ended, ms } of withBuilds) {
      const whole = { ms, ended: true };
      if (within(trailing, ended)) inWindow.push(whole);
      if (within(own, ended)) ofDay.push(whole);
      if (ended >= end && within(trailing, merged))
        inWindow.push({ ms: headlineAt(each, end), ended: false });
    }
    const ofWindow = inWindow.length > 0 ? durationsOf(inWindow) : undefined;
    const p90 =
      ofWindow && inWindow.length >= minimum ? ofWindow.at(90) : undefined;
    points.push({
      day: new Date(day).toISOString().slice(0, 10),
      delivered: ofDay.length,
      n: inWindow.length,
      p90: p90?.ms ?? null,
      atLeast: p90?.atLeast ?? false,
      interval: (p90 && ofWindow?.p90Interval()) ?? null,
      dayP90:
        ofDay.length > 0 && ofDay.length >= minimum
          ? durationsOf(ofDay).at(90).ms
          : null,
    });
  }
  return points;
}
