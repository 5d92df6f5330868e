import { nearestRank } from "../statistics/nearest-rank.js";
import { p90Interval } from "./distribution.js";
import type { Measured } from "./measured.js";
import type { SeriesPoint } from "./report.js";
import type { Bounds } from "./windows.js";
import { DAY_MS, within } from "./windows.js";

/**
 * The trailing P90 of the headline at the end of each day of a window; of the day under way, up to the window's end.
 * @param list those of twice the window
 */
export function seriesOf(
  list: readonly Measured[],
  { from, to }: Bounds,
  minimum: number,
): readonly SeriesPoint[] {
  // Sorted once: each point's window is a part of this, in the same order.
  const sorted = list
    .flatMap(({ headline, timeline: { ended } }) =>
      headline === null ? [] : [{ ms: headline, ended }],
    )
    .sort((a, b) => a.ms - b.ms);
  const points: SeriesPoint[] = [];
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, to);
    const own = { from: Math.max(day, from), to: end };
    const trailing = { from: end - (to - from), to: end };
    const inWindow: number[] = [];
    const ofDay: number[] = [];
    for (const { ms, ended } of sorted) {
      if (within(trailing, ended)) inWindow.push(ms);
      if (within(own, ended)) ofDay.push(ms);
    }
    const p90 = (values: readonly number[]) =>
      values.length >= Math.max(1, minimum)
        ? (values[nearestRank(values.length, 90)] ?? null)
        : null;
    const ofWindow = p90(inWindow);
    points.push({
      day: new Date(day).toISOString().slice(0, 10),
      delivered: ofDay.length,
      n: inWindow.length,
      p90: ofWindow,
      interval: ofWindow === null ? null : p90Interval(inWindow),
      dayP90: p90(ofDay),
    });
  }
  return points;
}
