import { groupBy } from "@skein/reporting/group-by";
import type { PlannedJob, PlannedUnit, PlanOptions } from "../../plan.js";
import { chooseJobs } from "./choose-jobs.js";
import { sharesOf } from "./pools.js";

/** The units of one script, and the pool of machines for them. */
export interface PooledUnits {
  /** Undefined for the workflow's own runner. */
  readonly pool: string | undefined;
  readonly units: readonly PlannedUnit[];
}

export interface PackOptions extends Pick<
  PlanOptions,
  "jobs" | "minJobs" | "onePackagePerJob"
> {
  /** The target duration of a job in milliseconds, without its set-up. */
  readonly targetMs: number;
  /** The maximum number of jobs in all pools together. Each pool has at least one. */
  readonly maxJobs: number;
}

/** Packs units into jobs of about equal duration. All units of a job run in one pool. Pure. */
export function packUnits(
  all: readonly PooledUnits[],
  options: PackOptions,
): PlannedJob[] {
  const pools = [...new Set(all.map(({ pool }) => pool))];
  if (pools.length === 0) return [];
  const groups = pools.map((pool) => ({
    pool,
    units: all.flatMap((each) => (each.pool === pool ? each.units : [])),
  }));
  const weights = groups.map(({ units }) => sumOf(units));
  const share = (total: number) => sharesOf(total, weights);
  const most = share(options.maxJobs);
  const exact = options.jobs === undefined ? [] : share(options.jobs);
  const least = share(options.minJobs ?? 1);
  return groups.flatMap((group, index) =>
    packPool(group, {
      ...options,
      jobs: exact[index],
      minJobs: least[index] ?? 1,
      maxJobs: most[index] ?? 1,
    }),
  );
}

function packPool(
  { pool, units }: PooledUnits,
  { jobs, minJobs = 1, maxJobs, targetMs, onePackagePerJob }: PackOptions,
): PlannedJob[] {
  if (units.length === 0) return [];
  const groups = onePackagePerJob
    ? [...groupBy(units, ({ workspace }) => workspace).values()]
    : units.map((unit) => [unit]);
  const weights = groups.map((group) => sumOf(group));
  const { bins, loads } = chooseJobs(weights, {
    jobs: onePackagePerJob ? groups.length : jobs,
    minJobs,
    maxJobs,
    targetMs,
  });
  const digits = String(loads.length).length;
  const name = pool === undefined ? "packages" : `packages-${pool}`;
  return loads
    .map((_, bin) => groups.filter((_, index) => bins[index] === bin).flat())
    .filter((members) => members.length > 0)
    .map((members, index) => ({
      id: `${name}-${String(index + 1).padStart(digits, "0")}`,
      kind: "packages",
      pool,
      expectedMs: sumOf(members),
      units: members,
    }));
}

/** Returns the sum of the units' expected durations in milliseconds. */
export function sumOf(units: readonly PlannedUnit[]): number {
  return units.reduce((sum, { expectedMs }) => sum + expectedMs, 0);
}
