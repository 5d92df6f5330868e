import type { HistoryEvent } from "./event.js";

/** What is known of a unit from its earlier runs. Milliseconds. */
export interface Measured {
  /** Runs that count: those that passed. */
  readonly runs: number;
  readonly p90Ms: number;
  /** P90 by test file. */
  readonly files: ReadonlyMap<string, number>;
  /** Runs that failed and then passed on the same tree. */
  readonly flakes: number;
}

/** Older runs say little about today's tests. */
const NEWEST_RUNS = 50;

/**
 * Sums up the newest 50 runs of each unit. A run that failed took any time at all, so it does not count.
 * @param events in any order
 */
export function measure(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, Measured> {
  // A machine that was lost took its time with it: what was measured may not be a whole run.
  const counted = events.filter(({ verdict }) => verdict !== "recovered");
  return new Map(
    [...passedByUnit(counted)].map(([unit, list]) => [unit, sumUp(list)]),
  );
}

function sumUp(list: readonly HistoryEvent[]): Measured {
  const newest = newestOf(list);
  const files = new Map<string, number[]>();
  for (const event of newest)
    for (const [file, ms] of Object.entries(event.files ?? {})) {
      const durations = files.get(file);
      if (durations) durations.push(ms);
      else files.set(file, [ms]);
    }
  return {
    runs: newest.length,
    p90Ms: p90(newest.map(({ ms }) => ms)),
    files: new Map([...files].map(([file, all]) => [file, p90(all)])),
    flakes: newest.filter(({ verdict }) => verdict === "flaky").length,
  };
}

/**
 * How often, in the newest 50 runs of each unit that passed in the end, a machine was lost first.
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

/** Those that passed in the end. */
function passedByUnit(
  events: readonly HistoryEvent[],
): ReadonlyMap<string, readonly HistoryEvent[]> {
  const byUnit = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    if (event.verdict === "failed") continue;
    const list = byUnit.get(event.unit);
    if (list) list.push(event);
    else byUnit.set(event.unit, [event]);
  }
  return byUnit;
}

function newestOf(list: readonly HistoryEvent[]): readonly HistoryEvent[] {
  // The texts sort as the times do, and clocks that disagree do no more harm than a run taken for a newer one.
  return list
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-NEWEST_RUNS);
}

/** The 90th percentile by nearest rank: the smallest value that at least 90 of 100 do not exceed. 0 of nothing. */
export function p90(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.9) - 1)] ?? 0;
}
