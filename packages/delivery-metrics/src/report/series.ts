import type { Instant } from "../events/event.js";
import type { Timeline } from "../timeline/timeline.js";
import { nearestRank } from "../statistics/nearest-rank.js";
import type { Sample } from "./distribution.js";
import { ascending, p90Interval } from "./distribution.js";
import { measuresOf, refOf } from "./measured.js";
import type { SeriesPoint } from "./report.js";
import type { Bounds } from "./windows.js";
import { DAY_MS } from "./windows.js";

/**
 * The trailing P90 of the headline at the end of each day of a window; of the day under way, up to the window's end.
 * @param timelines those of twice the window
 */
export function seriesOf(
  timelines: readonly Timeline[],
  { from, to }: Bounds,
  minimum: number,
): readonly SeriesPoint[] {
  const delivered = timelines
    .flatMap((timeline): (Sample & { readonly ended: Instant })[] => {
      const { headline } = measuresOf(timeline);
      return headline === null
        ? []
        : [{ ...refOf(timeline), ms: headline, ended: timeline.ended }];
    })
    .sort((a, b) => a.ended - b.ended);
  const points: SeriesPoint[] = [];
  const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
  for (let day = firstDay; day < to; day += DAY_MS) {
    const end = Math.min(day + DAY_MS, to);
    const inWindow = delivered.slice(
      placeOf(delivered, end - (to - from)),
      placeOf(delivered, end),
    );
    const enough = inWindow.length >= Math.max(1, minimum);
    const sorted = enough ? ascending(inWindow) : [];
    points.push({
      day: new Date(day).toISOString().slice(0, 10),
      delivered:
        placeOf(delivered, end) - placeOf(delivered, Math.max(day, from)),
      n: inWindow.length,
      p90: sorted[nearestRank(inWindow.length, 90)]?.ms ?? null,
      interval: enough ? p90Interval(sorted) : null,
    });
  }
  return points;
}

/** The first that did not end before. */
function placeOf(
  list: readonly { readonly ended: Instant }[],
  at: Instant,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.ended ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
