import type { Workload } from "@skein/delivery-metrics";
import type { PlannedJob } from "../plan.js";

/**
 * What jobs come to. Pure.
 * @param setupMs of each machine; milliseconds
 * @returns its units are scripts of packages: shards of one count once
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
