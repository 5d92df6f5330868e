import { pack, type Packing } from "../../pack/pack.js";
import type { PlanOptions } from "../../plan.js";

export interface ChooseOptions extends Pick<PlanOptions, "jobs" | "maxJobs"> {
  readonly minJobs: number;
  /** The target duration of a job without its set-up. */
  readonly targetMs: number;
}

/**
 * Packs into the requested number of jobs, or into the fewest that meet the target, but at least `minJobs`. Fewer
 * machines have fewer set-ups. If a single unit exceeds the target, its duration becomes the target.
 * @param weights milliseconds; at least one
 */
export function chooseJobs(
  weights: readonly number[],
  { jobs, minJobs, maxJobs, targetMs }: ChooseOptions,
): Packing {
  const most = Math.max(1, Math.min(maxJobs, weights.length));
  if (jobs !== undefined) return pack(weights, Math.min(jobs, most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const largest = weights.reduce((high, each) => Math.max(high, each), 0);
  const target = Math.max(targetMs, largest);
  let count = Math.min(most, Math.max(minJobs, Math.ceil(total / target)));
  for (;;) {
    const packing = pack(weights, count);
    if (packing.makespan <= target || count === most) return packing;
    // More than one step is rarely needed. With many jobs, a larger step keeps the search short.
    count = Math.min(most, count + Math.max(1, Math.floor(count / 32)));
  }
}
