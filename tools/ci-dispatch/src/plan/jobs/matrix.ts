import { MATRIX_CAP } from "@skein/workspaces";
import type { Plan, PlannedJob, PlannedTraces } from "../../plan.js";
import { legLimits } from "./leg-limits.js";

/** GitHub's limit for the outputs of one job, counted in UTF-16: https://docs.github.com/actions/reference/limits */
const OUTPUT_CAP_BYTES = 1024 * 1024;

/** A matrix, and whether it has jobs. GitHub refuses an empty matrix, so the workflow then skips the job. */
export interface Matrix extends Readonly<Record<string, string>> {
  /** `strategy.matrix`. Its entries contain only ids; the plan itself is an artifact. */
  readonly matrix: string;
  /** `true` or `false`. */
  readonly any: string;
}

/**
 * The outputs of the planning job for the jobs after it: all jobs as one matrix, and one matrix for each of the two
 * kinds.
 */
export interface MatrixOutputs extends Matrix {
  readonly application: string;
  readonly "any-application": string;
  readonly packages: string;
  readonly "any-packages": string;
  /** `true` if a single job, the only one in `packages`, runs everything. */
  readonly inline: string;
  /** Minutes by job, for the job's `timeout-minutes`. */
  readonly limits: string;
  /** The minutes for the job that records traces; empty if none are recorded. */
  readonly traces: string;
  readonly plan: string;
}

/**
 * Makes the outputs of a plan.
 * @throws {RangeError} beyond GitHub's limits; a plan stays below both, so that would be a bug
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
    traces: plan.traces ? String(traceLimit(plan.traces)) : "",
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

/** The minutes of a job's set-up, at most. */
const SETUP_MINUTES = 30;

/** Returns the time limit of the job that records traces, in minutes: twice its budget, and a set-up. */
function traceLimit({ budgetSeconds }: PlannedTraces): number {
  return SETUP_MINUTES + Math.ceil((2 * budgetSeconds) / 60);
}

/**
 * Makes a matrix of jobs: their ids, and their pools if any job has one.
 * @throws {RangeError} beyond GitHub's limit
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
