import { MATRIX_CAP } from "@skein/workspaces";
import type { Plan, PlannedJob } from "../plan.js";
import { legLimits } from "./leg-limits.js";

/** GitHub takes so much from the outputs of one job, counted in UTF-16: https://docs.github.com/actions/reference/limits */
export const OUTPUT_CAP_BYTES = 1024 * 1024;

/** A matrix, and whether it has any leg: GitHub refuses an empty one, so the job is skipped by this. */
export interface Matrix extends Readonly<Record<string, string>> {
  /** `strategy.matrix`: legs carry only ids, the plan itself travels as an artifact. */
  readonly matrix: string;
  /** `true` or `false`. */
  readonly any: string;
}

/** What the plan's job hands to the jobs behind it: all its jobs as one matrix, or the two kinds apart. */
export interface MatrixOutputs extends Matrix {
  readonly application: string;
  readonly "any-application": string;
  readonly packages: string;
  readonly "any-packages": string;
  /** `true` where one job, the only leg of `packages`, runs everything. */
  readonly inline: string;
  /** Minutes by job, as `timeout-minutes` of its leg. */
  readonly limits: string;
  readonly plan: string;
}

/**
 * Makes the outputs of a plan.
 * @throws {RangeError} beyond GitHub's limits: a plan keeps below both, so that would be a bug
 */
export function matrixOutputs(plan: Plan): MatrixOutputs {
  const { id, jobs } = plan;
  const of = (wanted: (kind: PlannedJob["kind"]) => boolean) =>
    matrixOf(jobs.filter(({ kind }) => wanted(kind)));
  const application = of((kind) => kind === "application");
  const packages = of((kind) => kind !== "application");
  const outputs = {
    ...matrixOf(jobs),
    application: application.matrix,
    "any-application": application.any,
    packages: packages.matrix,
    "any-packages": packages.any,
    inline: String(jobs.some(({ kind }) => kind === "inline")),
    limits: JSON.stringify(legLimits(plan)),
    plan: id,
  };
  const bytes = Object.entries(outputs).reduce(
    (sum, [name, value]) => sum + 2 * (name.length + value.length),
    0,
  );
  if (bytes > OUTPUT_CAP_BYTES)
    throw new RangeError(`job outputs of ${bytes} bytes`);
  return outputs;
}

/**
 * Makes a matrix of jobs: their ids, each with its pool where any job has one.
 * @throws {RangeError} beyond GitHub's cap
 */
export function matrixOf(
  jobs: readonly Pick<PlannedJob, "id" | "pool">[],
): Matrix {
  if (jobs.length > MATRIX_CAP)
    throw new RangeError(`a matrix of ${jobs.length} legs`);
  return {
    matrix: JSON.stringify(
      jobs.some(({ pool }) => pool !== undefined)
        ? { include: jobs.map(({ id, pool }) => ({ job: id, pool })) }
        : { job: jobs.map(({ id }) => id) },
    ),
    any: String(jobs.length > 0),
  };
}
