import { durationsOf } from "../statistics/kaplan-meier.js";
import type { Duration } from "../statistics/kaplan-meier.js";
import type { Measured } from "./measured.js";
import { headlineAt } from "./samples.js";
import type { SeriesPoint } from "./report.js";
import type { Bounds } from "./windows.js";
import { DAY_MS, within } from "./windows.js";

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
  const withBuilds = all.filter(({ headline }) => headline !== null);
  const points: SeriesPoint[] = [];
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, to);
    const own = { from: Math.max(day, from), to: end };
    const trailing = { from: end - (to - from), to: end };
    const inWindow: Duration[] = [];
    const ofDay: Duration[] = [];
    for (const each of withBuilds) {
      const { merged, ended } = each;
      const whole = { ms: each.headline ?? 0, ended: true };
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
