import { shellWord } from "@skein/git";
import type { Plan } from "../plan.js";
import { legLimits } from "../plan/jobs/leg-limits.js";
import { DEFAULT_NAME } from "../verdict/layout.js";

/** The engines that can run a generated pipeline. */
export const PIPELINES = ["gitlab", "buildkite"] as const;
export type PipelineEngine = (typeof PIPELINES)[number];

/** A JSON value, which is also YAML. */
export type Json = string | number | boolean | null | readonly Json[] | Members;

/** The members of a JSON object. */
export interface Members {
  readonly [name: string]: Json;
}

/** The input for generating a pipeline. */
export interface PipelineInput {
  readonly plan: Plan;
  /** The plan's file, under the name that the planning job used. */
  readonly file: string;
  /** A shell command that prepares a checkout in the jobs that run tests. */
  readonly before: string;
  /** The command with which the verdict job calls the tool, which doesn't come from the change. */
  readonly tool: string;
  /** Members of every job: an image, tags, plugins. */
  readonly settings: Members;
  /** Additional members of the jobs in a pool, by pool. */
  readonly pools?: Readonly<Record<string, Members>>;
}

/** A job of the plan, with the properties that a pipeline needs. */
export interface Leg {
  readonly id: string;
  /** Undefined for the machines of the default settings. */
  readonly pool: string | undefined;
  /** The time limit in minutes. */
  readonly minutes: number;
}

/** The folder of attestations, relative to the checkout. */
export const FOLDER = ".ci-dispatch";

/**
 * Returns the jobs of a plan.
 * @throws {RangeError} for an id with a meaning in YAML or in a shell; plans contain none, so that would be a bug
 */
export function legsOf(plan: Plan): readonly Leg[] {
  const limits = legLimits(plan);
  return plan.jobs.map(({ id, pool }) => {
    if (!/^[a-z0-9][a-z0-9-]*$/.test(id))
      throw new RangeError(`not the id of a job: ${JSON.stringify(id)}`);
    return { id, pool, minutes: limits[id] ?? 60 };
  });
}

/**
 * Returns the folder of a job's attestations. The pipeline determines its name, and stores no other files of the job,
 * so a file in it can only attest this job.
 * @param job the job's id, or a variable that contains it
 */
export function folderOf(job: string): string {
  return `${FOLDER}/${DEFAULT_NAME}-attestation-${job}.1.1`;
}

/**
 * Returns the members of a pool's jobs.
 * @param pool undefined for the default
 */
export function settingsOf(
  { settings, pools = {} }: PipelineInput,
  pool: string | undefined,
): Members {
  return pool === undefined ? settings : { ...settings, ...pools[pool] };
}

/**
 * Returns the shell command that runs a job.
 * @param job the job's id, or a variable that contains it; this function quotes it
 */
export function execLine({ plan, file }: PipelineInput, job: string): string {
  return `yarn ci-dispatch exec --plan ${shellWord(file)} --plan-id ${plan.id} --job "${job}" --attempt 1 --attestations "${folderOf(job)}"`;
}

/** The files that the verdict job writes. Those of coverage exist only if a job measures it. */
export const VERDICT_FILES = [
  "verdict.json",
  "verdict.md",
  "junit.xml",
  "coverage/*",
];

/** Returns the shell command that creates the verdict. */
export function verdictLine({ plan, file, tool }: PipelineInput): string {
  return `${tool} verdict --plan ${shellWord(file)} --plan-id ${plan.id} --attestations ${FOLDER} --layout artifacts --report verdict.json --summary verdict.md --junit junit.xml --coverage coverage`;
}
