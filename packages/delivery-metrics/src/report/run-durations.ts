import type { Conclusion, Instant } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { EventLog } from "../log/event-log.js";
import { within, type Bounds } from "./windows.js";

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
export function* runDurations(
  log: EventLog,
  window: Bounds,
): Generator<RunDuration> {
  for (const own of log.repositories)
    for (const { started, completed } of own.runs()) {
      if (!completed || !within(window, completed.at)) continue;
      const first = ownJobs(completed.jobs, started.attempt, started.at).reduce(
        (least, job) => Math.min(least, job.started ?? Infinity),
        completed.at,
      );
      const { conclusion, at: ended } = completed;
      yield {
        repository: own.name,
        workflow: started.workflow,
        conclusion,
        ended,
        pendingMs: Math.max(0, first - started.at),
        executingMs: Math.max(0, ended - Math.max(first, started.at)),
      };
    }
}
