import type { Instant } from "../events/event.js";
import type { EventLog } from "../log/event-log.js";
import type { PullRef } from "./report.js";
import { within, type Bounds } from "./windows.js";

/** A pull request that was merged in a window. */
export interface MergedPull extends PullRef {
  readonly branch: string;
  readonly merged: Instant;
  /** The time since it was opened. */
  readonly timeToMergeMs: number;
}

/** Returns the pull requests that were merged in a window and whose opening is known, by repository. */
export function mergedPulls(
  log: EventLog,
  window: Bounds,
): readonly MergedPull[] {
  return log.repositories.flatMap((own) => {
    const merges = new Map<number, Instant>();
    for (const { pull, at } of own.of("pull-merged"))
      if (within(window, at)) merges.set(pull, at);
    return [...own.of("pull-opened")].flatMap(
      ({ repository, pull, branch, at }): MergedPull[] => {
        const merged = merges.get(pull);
        if (merged === undefined) return [];
        const timeToMergeMs = Math.max(0, merged - at);
        return [{ repository, pull, branch, merged, timeToMergeMs }];
      },
    );
  });
}
