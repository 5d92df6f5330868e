import type {
  Conclusion,
  DeliveryEvent,
  Instant,
  Job,
  RunCompleted,
  RunStarted,
} from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import { EventLog } from "../log/event-log.js";

/** An attempt of a workflow run, with the times of its jobs. Times are ISO 8601 in UTC, durations milliseconds. */
export interface RunTimes {
  readonly repository: string;
  readonly run: number;
  readonly attempt: number;
  readonly workflow: string;
  /** The event that triggered it. */
  readonly event: string;
  readonly conclusion: Conclusion;
  /** The time at which it was requested. */
  readonly began: string;
  /** The time from then to the end of its last job. */
  readonly makespan: number;
  /** The time of all jobs together, without their waiting. */
  readonly machine: number;
  /** The jobs that a runner started, in order of their start. */
  readonly jobs: readonly JobTimes[];
}

export interface JobTimes {
  readonly name: string;
  /** The time from the run's start until it was requested, while it waited for other jobs. */
  readonly asked: number;
  /** The time from the run's start until a runner started it. */
  readonly started: number;
  /** The time from the run's start to its end. */
  readonly ended: number;
  readonly conclusion: Conclusion;
}

/** The events whose runs delay a change; a nightly run isn't one of them. */
const TRIGGERS = ["pull_request", "pull_request_target", "merge_group", "push"];

/**
 * Returns the newest runs of the workflow that takes the most machine time, because its shape determines how long
 * people wait.
 * @param events linked or not, in any order; duplicates count once
 * @param options `asOf`: events at this time or later are ignored; `most`: the maximum number of runs
 * @returns the newest first
 */
export function lastRuns(
  events: Iterable<DeliveryEvent> | EventLog,
  { asOf, most }: { readonly asOf: Instant; readonly most: number },
): readonly RunTimes[] {
  const workflows = new Map<string, { machine: number; newest: RunTimes[] }>();
  for (const log of EventLog.from(events, asOf).repositories)
    for (const { started, completed } of log.runs(isAwaited)) {
      const times = completed && timesOf(started, completed);
      if (!times || times.jobs.length === 0) continue;
      const name = `${log.name} ${started.path ?? started.workflow}`;
      const own = workflows.get(name) ?? { machine: 0, newest: [] };
      workflows.set(name, own);
      own.machine += times.machine;
      own.newest.push(times);
      own.newest.sort(newestFirst).splice(most);
    }
  const [busiest] = [...workflows.values()].sort(
    (a, b) => b.machine - a.machine,
  );
  return busiest?.newest ?? [];
}

function isAwaited({ event }: RunStarted): boolean {
  return TRIGGERS.includes(event);
}

function newestFirst(a: RunTimes, b: RunTimes): number {
  return (
    Date.parse(b.began) + b.makespan - (Date.parse(a.began) + a.makespan) ||
    b.run - a.run ||
    b.attempt - a.attempt
  );
}

function timesOf(start: RunStarted, end: RunCompleted): RunTimes {
  const began = start.attempt === 1 ? start.created : start.at;
  const jobs = ownJobs(end.jobs, end.attempt, end.started)
    .flatMap((job) => jobTimes(job, began))
    .sort((a, b) => a.started - b.started || a.ended - b.ended);
  return {
    repository: start.repository,
    run: start.run,
    attempt: start.attempt,
    workflow: start.workflow,
    event: start.event,
    conclusion: end.conclusion,
    began: new Date(began).toISOString(),
    makespan: Math.max(0, end.at - began),
    machine: jobs.reduce((sum, job) => sum + job.ended - job.started, 0),
    jobs,
  };
}

/** Returns the times of a job. Clocks differ, so a job that ends before it starts takes no time. */
function jobTimes(job: Job, began: Instant): readonly JobTimes[] {
  if (job.started === null || job.completed === null) return [];
  if (job.conclusion === "skipped") return [];
  const started = Math.max(0, job.started - began);
  return [
    {
      name: job.name,
      asked: Math.min(
        started,
        Math.max(0, (job.created ?? job.started) - began),
      ),
      started,
      ended: Math.max(started, job.completed - began),
      conclusion: job.conclusion,
    },
  ];
}
