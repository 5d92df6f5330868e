import type { Instant } from "../events/event.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Sample } from "./distribution.js";
import { ascending, p90Interval } from "./distribution.js";
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
  const sorted = ascending(
    list.flatMap(({ ref, headline, timeline }) =>
      headline === null
        ? []
        : [{ ...ref, ms: headline, ended: timeline.ended }],
    ),
  );
  const points: SeriesPoint[] = [];
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, to);
    const inWindow = endedWithin(sorted, { from: end - (to - from), to: end });
    const n = inWindow.length;
    const enough = n >= Math.max(1, minimum);
    points.push({
      day: new Date(day).toISOString().slice(0, 10),
      delivered: endedWithin(sorted, { from: Math.max(day, from), to: end })
        .length,
      n,
      p90: enough ? (inWindow[nearestRank(n, 90)]?.ms ?? null) : null,
      interval: enough ? p90Interval(inWindow) : null,
    });
  }
  return points;
}

function endedWithin<Each extends Sample & { readonly ended: Instant }>(
  list: readonly Each[],
  bounds: Bounds,
): readonly Each[] {
  return list.filter(({ ended }) => within(bounds, ended));
}
