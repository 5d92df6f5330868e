import { groupBy } from "@skein/reporting/group-by";
import type { HistoryEvent } from "./event.js";

/** The measurements of a unit's earlier runs, in milliseconds. */
export interface Measured {
  /** The number of runs that count, which are those that passed. */
  readonly runs: number;
  readonly p90Ms: number;
  /** P90 by test file. */
  readonly files: ReadonlyMap<string, number>;
  /** The number of runs that failed and then passed on the same tree. */
  readonly flakes: number;
}

/** Older runs predict little about today's tests. */
const NEWEST_RUNS = 50;

/**
 * Summarizes the newest 50 runs of each unit. Failed runs don't count, because their durations are arbitrary.
 * @param events in any order
 */
export function measure(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, Measured> {
  // After a machine was lost, the measured time may not be that of a complete run.
  const counted = events.filter(({ verdict }) => verdict !== "recovered");
  return new Map(
    [...passedByUnit(counted)].map(([unit, list]) => [unit, sumUp(list)]),
  );
}

function sumUp(list: readonly HistoryEvent[]): Measured {
  const newest = newestOf(list);
  const files = groupBy(
    newest.flatMap((event) => Object.entries(event.files ?? {})),
    ([file]) => file,
  );
  return {
    runs: newest.length,
    p90Ms: p90(newest.map(({ ms }) => ms)),
    files: new Map(
      [...files].map(([file, all]) => [file, p90(all.map(([, ms]) => ms))]),
    ),
    flakes: newest.filter(({ verdict }) => verdict === "flaky").length,
  };
}

/**
 * Counts how often a machine was lost first, in the newest 50 runs of each unit that passed in the end.
 * @param events in any order
 */
export function recoveries(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, number> {
  return new Map(
    [...passedByUnit(events)].map(([unit, list]) => [
      unit,
      newestOf(list).filter(({ verdict }) => verdict === "recovered").length,
    ]),
  );
}

/** Groups the runs that passed in the end by unit. */
function passedByUnit(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, readonly HistoryEvent[]> {
  const passed = events.filter(({ verdict }) => verdict !== "failed");
  return groupBy(passed, ({ unit }) => unit);
}

function newestOf(list: readonly HistoryEvent[]): readonly HistoryEvent[] {
  // The texts sort in the order of the times. If clocks disagree, the worst effect is that a run counts as newer than
  // another.
  return list
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-NEWEST_RUNS);
}

/**
 * Returns the 90th percentile by nearest rank: the smallest value that at least 90 of 100 don't exceed. It is 0 for an
 * empty list.
 */
export function p90(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.9) - 1)] ?? 0;
}
