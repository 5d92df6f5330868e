import type { Timeline } from "../timeline/timeline.js";
import { distribution } from "./distribution.js";
import { measureSamples } from "./measured.js";
import type { Group } from "./report.js";

/** The measures of each package or owner; a pull request counts in each of its own. */
export function groupBy(
  timelines: readonly Timeline[],
  names: (timeline: Timeline) => readonly string[],
  minimum: number,
): readonly Group[] {
  const byName = new Map<string, Timeline[]>();
  for (const timeline of timelines)
    for (const name of new Set(names(timeline))) {
      const list = byName.get(name);
      if (list) list.push(timeline);
      else byName.set(name, [timeline]);
    }
  return [...byName]
    .map(([name, list]) => ({
      name,
      headline: distribution(measureSamples(list, "headline"), minimum),
      gross: distribution(measureSamples(list, "gross"), minimum),
    }))
    .sort((a, b) => b.gross.n - a.gross.n || (a.name < b.name ? -1 : 1));
}
