import type { Instant } from "../events/event.js";
import type { Window } from "./report.js";

/** A day of UTC: no zone, and no day of 23 or 25 hours. */
export const DAY_MS = 86_400_000;

/** From, up to and not with its end. */
export interface Bounds {
  readonly from: Instant;
  readonly to: Instant;
}

/** Returns the window of so many days that ends at a time. */
export function windowBefore(to: Instant, days: number): Bounds {
  return { from: to - days * DAY_MS, to };
}

export function within({ from, to }: Bounds, at: Instant): boolean {
  return from <= at && at < to;
}

/** As a report shows it. */
export function showWindow({ from, to }: Bounds): Window {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    days: (to - from) / DAY_MS,
  };
}
