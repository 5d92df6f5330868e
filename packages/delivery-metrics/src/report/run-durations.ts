import type { Conclusion, DeliveryEvent, Instant } from "../events/event.js";
import { mergeEvents } from "../events/merge-events.js";
import { ownJobs } from "../events/run-end.js";
import { gatherFacts } from "../facts/facts.js";
import type { Bounds } from "./windows.js";
import { within } from "./windows.js";

/** One attempt of a run that ended in a window, with durations in milliseconds. */
export interface RunDuration {
  readonly repository: string;
  readonly workflow: string;
  readonly conclusion: Conclusion;
  readonly ended: Instant;
  /** The time until a runner started its first job. */
  readonly pendingMs: number;
  /** The time from then to its end. */
  readonly executingMs: number;
}

/** Returns the waiting and working time of each attempt that ended in a window. */
export function runDurations(
  events: Iterable<DeliveryEvent>,
  window: Bounds,
): readonly RunDuration[] {
  return [...gatherFacts(mergeEvents(events)).repositories.values()].flatMap(
    ({ name, runs }) =>
      runs.flatMap(({ started, completed }): RunDuration[] => {
        if (!completed || !within(window, completed.at)) return [];
        const first = ownJobs(
          completed.jobs,
          started.attempt,
          started.at,
        ).reduce(
          (least, job) => Math.min(least, job.started ?? Infinity),
          completed.at,
        );
        return [
          {
            repository: name,
            workflow: started.workflow,
            conclusion: completed.conclusion,
            ended: completed.at,
            pendingMs: Math.max(0, first - started.at),
            executingMs: Math.max(
              0,
              completed.at - Math.max(first, started.at),
            ),
          },
        ];
      }),
  );
}
