import { DAY_MS } from "@skein/delivery-metrics";
import { dayOf } from "../store/day-files.js";
import type { DayState, RepositoryState } from "./sync-state.js";

/**
 * The number of days during which a day is read again. Runs can be re-run for a month, but after this time that is
 * rare, and each check costs a request per 100 runs.
 */
const LOOK_AGAIN_DAYS = 3;
/** The number of days after which GitHub ends a run. */
const LONGEST_RUN_DAYS = 35;

/** Returns a day as a range in GitHub's form, which includes both ends. */
export function rangeOfDay(day: string): string {
  return `${day}T00:00:00Z..${day}T23:59:59Z`;
}

/**
 * Returns the days whose runs must be read, earliest first: those that were never read, and those in which something
 * may have changed.
 */
export function daysToRead(
  known: RepositoryState["days"],
  since: number,
  now: number,
): readonly string[] {
  const days: string[] = [];
  const last = Date.parse(dayOf({ at: now }));
  for (let at = Date.parse(dayOf({ at: since })); at <= last; at += DAY_MS) {
    const day = dayOf({ at });
    const age = (last - at) / DAY_MS;
    const mayChange =
      age <= LOOK_AGAIN_DAYS ||
      (known[day]?.open === true && age <= LONGEST_RUN_DAYS);
    if (known[day] === undefined || mayChange) days.push(day);
  }
  return days;
}

/** Returns the states of days to store. The lists of a day are dropped when the day is no longer read again. */
export function tidyDays(
  days: RepositoryState["days"],
  now: number,
): RepositoryState["days"] {
  const last = Date.parse(dayOf({ at: now }));
  return Object.fromEntries(
    Object.entries(days).map(([day, state]): [string, DayState] => {
      const age = (last - Date.parse(day)) / DAY_MS;
      const done = age > LOOK_AGAIN_DAYS + 1 && !state.open;
      return [day, done ? { open: false, windows: [] } : state];
    }),
  );
}

/** Returns the two halves of a range, with a precision of seconds; undefined if it is a single second. */
export function halves(range: string): readonly [string, string] | undefined {
  const [from = "", to = ""] = range.split("..");
  const start = Date.parse(from);
  const end = Date.parse(to);
  if (end <= start) return undefined;
  const middle = start + Math.floor((end - start) / 2000) * 1000;
  const show = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");
  return [`${from}..${show(middle)}`, `${show(middle + 1000)}..${to}`];
}
