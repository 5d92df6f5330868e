import { MATRIX_CAP } from "@skein/workspaces";
import type { Plan } from "../plan.js";

/** GitHub takes so much from the outputs of one job, counted in UTF-16: https://docs.github.com/actions/reference/limits */
export const OUTPUT_CAP_BYTES = 1024 * 1024;

/** What the plan's job hands to the jobs behind it. */
export interface MatrixOutputs extends Readonly<Record<string, string>> {
  /** `strategy.matrix`: legs carry only ids, the plan itself travels as an artifact. */
  readonly matrix: string;
  /** `true` where there is at least one job: GitHub refuses an empty matrix, so the job is skipped by this. */
  readonly any: string;
  readonly plan: string;
}

/**
 * Makes the outputs of a plan.
 * @throws {RangeError} beyond GitHub's limits: a plan keeps below both, so that would be a bug
 */
export function matrixOutputs({ id, jobs }: Plan): MatrixOutputs {
  const outputs = { ...matrixOf(jobs.map((job) => job.id)), plan: id };
  const bytes = Object.entries(outputs).reduce(
    (sum, [name, value]) => sum + 2 * (name.length + value.length),
    0,
  );
  if (bytes > OUTPUT_CAP_BYTES)
    throw new RangeError(`job outputs of ${bytes} bytes`);
  return outputs;
}

/** A matrix of jobs, and whether there is any. @throws {RangeError} beyond GitHub's cap */
export function matrixOf(jobs: readonly string[]): {
  readonly matrix: string;
  readonly any: string;
} {
  if (jobs.length > MATRIX_CAP)
    throw new RangeError(`a matrix of ${jobs.length} legs`);
  return {
    matrix: JSON.stringify({ job: jobs }),
    any: String(jobs.length > 0),
  };
}
