import type { Instant } from "../events/event.js";

/** A window, with its times in ISO 8601. */
export interface Window {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** A day in UTC, which never has 23 or 25 hours. */
export const DAY_MS = 86_400_000;

/** A time range that includes its start and excludes its end. */
export interface Bounds {
  readonly from: Instant;
  readonly to: Instant;
}

/** Returns the window with this number of days that ends at a time. */
export function windowBefore(to: Instant, days: number): Bounds {
  return { from: to - days * DAY_MS, to };
}

/** Returns whether a time is in a window. */
export function within({ from, to }: Bounds, at: Instant): boolean {
  return from <= at && at < to;
}

/** Formats a window for a report. */
export function showWindow({ from, to }: Bounds): Window {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    days: (to - from) / DAY_MS,
  };
}
