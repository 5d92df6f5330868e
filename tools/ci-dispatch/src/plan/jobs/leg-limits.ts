import type { Plan, PlannedUnit } from "../../plan.js";

/**
 * The minimum time in milliseconds of a job besides its units: for its set-up, and for units that the pipeline runs
 * first.
 */
const BESIDE_MS = 20 * 60_000;
/** How many times its expected duration a set-up may take. */
const SETUP_FACTOR = 3;
/** GitHub ends any job after six hours: https://docs.github.com/actions/reference/limits */
const MOST_MINUTES = 360;

/**
 * Returns the time limit of each job in minutes. It allows each unit to reach its own limit in every try, and adds the
 * time for the rest. So a job lives long enough to attest its units. Pure.
 * @returns whole minutes by id of the job
 */
export function legLimits({
  jobs,
  retries,
  prediction: { setupMs },
}: Pick<Plan, "jobs" | "retries" | "prediction">): Readonly<
  Record<string, number>
> {
  const besideMs = Math.max(BESIDE_MS, SETUP_FACTOR * setupMs);
  return Object.fromEntries(
    jobs.map(({ id, units }) => {
      const onceMs = units.reduce((sum, unit) => sum + longestMs(unit), 0);
      const minutes = (besideMs + (1 + retries) * onceMs) / 60_000;
      return [id, Math.min(MOST_MINUTES, Math.ceil(minutes))];
    }),
  );
}

/**
 * Returns the longest possible duration of a unit in milliseconds. A shard runs all files if its machine finds a
 * setting that judges the whole run.
 */
export function longestMs({
  timeoutMs,
  shard,
}: Pick<PlannedUnit, "timeoutMs" | "shard">): number {
  return timeoutMs * (shard?.count ?? 1);
}
