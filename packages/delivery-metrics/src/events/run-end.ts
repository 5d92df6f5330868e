import type { Instant, Job } from "./event.js";

/**
 * Returns the jobs that an attempt ran itself. For a later attempt, GitHub also lists the jobs of earlier attempts that
 * were not run again, with their old times. Those ended before the attempt started.
 * @param started the start of the attempt
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
 * Returns the end of an attempt, which is the end of the last of its own jobs. A run's `updated_at` is later if a log
 * is read or a check is written.
 * @returns undefined if no job has an end
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
