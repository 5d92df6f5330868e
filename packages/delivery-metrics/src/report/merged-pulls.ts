import type { DeliveryEvent, Instant } from "../events/event.js";
import { mergeEvents } from "../events/merge-events.js";
import { gatherFacts } from "../facts/facts.js";
import type { PullRef } from "./report.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** A pull request that was merged in a window. */
export interface MergedPull extends PullRef {
  readonly branch: string;
  readonly merged: Instant;
  /** The time since it was opened. */
  readonly timeToMergeMs: number;
}

/** Returns the pull requests that were merged in a window and whose opening is known. */
export function mergedPulls(
  events: Iterable<DeliveryEvent>,
  window: Bounds,
): readonly MergedPull[] {
  return [...gatherFacts(mergeEvents(events)).repositories.values()].flatMap(
    ({ pulls }) =>
      [...pulls.values()].flatMap(({ repository, pull, opened, merged }) =>
        opened && merged && within(window, merged.at)
          ? [
              {
                repository,
                pull,
                branch: opened.branch,
                merged: merged.at,
                timeToMergeMs: Math.max(0, merged.at - opened.at),
              },
            ]
          : [],
      ),
  );
}
