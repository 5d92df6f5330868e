import type { Plan, PlannedUnit } from "../plan.js";

/** What a leg may take beside its units, in milliseconds: its set-up, and what the pipeline runs before them. */
const BESIDE_MS = 20 * 60_000;
/** A set-up may take so many times what it is expected to. */
const SETUP_FACTOR = 3;
/** GitHub ends any job after six hours: https://docs.github.com/actions/reference/limits */
const MOST_MINUTES = 360;

/**
 * Computes after how many minutes the leg of each job may be ended: when each of its units has run into its own limit as
 * often as it may be tried, and the rest has taken its time. So a leg lives long enough to attest what its units did. Pure.
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
 * Computes how many milliseconds a unit may take at most: a shard runs the whole where its machine finds that something
 * judges the whole run.
 */
export function longestMs({
  timeoutMs,
  shard,
}: Pick<PlannedUnit, "timeoutMs" | "shard">): number {
  return timeoutMs * (shard?.count ?? 1);
}
