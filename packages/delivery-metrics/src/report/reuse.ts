import type { UnitsReused } from "../events/event.js";
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
  };
}
