import type { Instant, Job } from "./event.js";

/**
 * Jobs that an attempt ran itself. GitHub lists for a later attempt the jobs of earlier ones that were not run again,
 * with their old
 * times: those had ended when it began.
 * @param started when the attempt began
 */
export function ownJobs(
  jobs: readonly Job[],
  attempt: number,
  started: Instant,
): readonly Job[] {
  if (attempt === 1) return jobs;
  return jobs.filter(
    ({ completed }) => completed === null || completed > started,
  );
}

/**
 * Returns when an attempt ended: with the last of its own jobs. A run's `updated_at` is later, when a log is read or a
 * check is written.
 * @returns undefined where no job has an end
 */
export function runEnd(
  jobs: readonly Job[],
  attempt: number,
  started: Instant,
): Instant | undefined {
  return ownJobs(jobs, attempt, started).reduce<Instant | undefined>(
    (last, { completed }) =>
      completed === null || (last !== undefined && last >= completed)
        ? last
        : completed,
    undefined,
  );
}
