import type { JobsSelected, Workload } from "../events/event.js";
import type { Saved, Savings } from "./report.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** Sums up the work that affected selection saved, over a window's plans. */
export function savingsOf(
  all: readonly JobsSelected[],
  window: Bounds,
): Savings {
  const plans = all.filter(({ at }) => within(window, at));
  const sum = (name: keyof Workload): Saved => {
    const of = (side: "everything" | "selected") =>
      plans.reduce((total, plan) => total + plan[side][name], 0);
    const everything = of("everything");
    const selected = of("selected");
    return { everything, selected, saved: everything - selected };
  };
  return {
    plans: plans.length,
    jobs: sum("jobs"),
    units: sum("units"),
    machineMs: sum("machineMs"),
  };
}
