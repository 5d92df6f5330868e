import { pack } from "../pack/pack.js";
import type { Packing } from "../pack/pack.js";

export interface ChooseOptions {
  /** A fixed number; undefined where the target decides. */
  readonly jobs: number | undefined;
  readonly minJobs: number;
  readonly maxJobs: number;
  /** What a job may hold, without its set-up. */
  readonly targetMs: number;
}

/**
 * Packs into the number of jobs that was asked for, else into the fewest that keep to the target, though no fewer than
 * `minJobs`: fewer machines pay less set-up. Where one unit alone is above the target, it is what the others are measured by.
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
    // Rarely more than one step is needed; with many jobs a bigger one keeps the search short.
    count = Math.min(most, count + Math.max(1, Math.floor(count / 32)));
  }
}
