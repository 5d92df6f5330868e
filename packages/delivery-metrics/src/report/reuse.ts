import type { FalseHitFields, UnitsReused } from "../events/event.js";
import { rate, total } from "./rate.js";
import type { Reuse } from "./report.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** Sums up what the runs of a window did not run again. */
export function reuseOf(all: readonly UnitsReused[], window: Bounds): Reuse {
  const runs = all.filter(({ at }) => within(window, at));
  const later = runs.filter(({ pull, first }) => pull !== null && !first);
  const falseHits = runs.flatMap((run) => run.falseHits);
  return {
    runs: runs.length,
    units: total(runs, ({ reused }) => reused),
    machineMs: total(runs, ({ reusedMs }) => reusedMs),
    laterPushes: rate(
      total(later, ({ reused }) => reused),
      total(later, ({ units }) => units),
    ),
    falseHits: rate(
      falseHits.length,
      total(runs, ({ checked }) => checked),
    ),
    falseHitUnits: [...new Set(falseHits)].sort(),
    falseHitFields: distinct(runs.flatMap((run) => run.falseHitFields)),
  };
}

/** Returns each unit and fingerprint once, sorted by unit. */
function distinct(all: readonly FalseHitFields[]): readonly FalseHitFields[] {
  const found = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}
