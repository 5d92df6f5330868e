import type { Workload } from "@skein/delivery-metrics";
import type { PlannedJob } from "../../plan.js";

/**
 * Returns the total workload of jobs. Pure.
 * @param setupMs the set-up time of each machine in milliseconds
 * @returns the workload; its units are scripts of packages, and the shards of a script count once
 */
export function workloadOf(
  jobs: readonly PlannedJob[],
  setupMs: number,
): Workload {
  const wholes = jobs.flatMap(({ units }) => units.map(({ whole }) => whole));
  const busyMs = jobs.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
  return {
    jobs: jobs.length,
    units: new Set(wholes).size,
    machineMs: Math.round(busyMs + jobs.length * setupMs),
  };
}
