import { shellWord } from "@skein/git";
import type { Plan } from "../plan.js";
import { legLimits } from "../plan/leg-limits.js";
import { DEFAULT_NAME } from "../verdict/layout.js";

/** The engines that take a pipeline which a job has made. */
export const PIPELINES = ["gitlab", "buildkite"] as const;
export type PipelineEngine = (typeof PIPELINES)[number];

/** A value of JSON, which is YAML too. */
export type Json = string | number | boolean | null | readonly Json[] | Members;

/** Members of an object of JSON. */
export interface Members {
  readonly [name: string]: Json;
}

/** What a pipeline is made of. */
export interface PipelineInput {
  readonly plan: Plan;
  /** The plan's file, as the job that plans has named it. */
  readonly file: string;
  /** What makes a checkout ready in the jobs that run tests: a line of shell. */
  readonly before: string;
  /** How the job that judges calls the tool, which is not the change's own. */
  readonly tool: string;
  /** Members that each job has: an image, tags, plugins. */
  readonly settings: Members;
  /** Members that the jobs of a pool have besides, by the pool. */
  readonly pools?: Readonly<Record<string, Members>>;
}

/** A job of the plan, as a pipeline needs it. */
export interface Leg {
  readonly id: string;
  /** Undefined for machines that the settings of all jobs name. */
  readonly pool: string | undefined;
  /** Minutes after which it is ended. */
  readonly minutes: number;
}

/** Where attestations lie, from the checkout. */
export const FOLDER = ".ci-dispatch";

/**
 * Returns the jobs of a plan.
 * @throws {RangeError} for an id that could mean something in YAML or in a shell: a plan has none, so that would be a bug
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
 * Returns the folder of a job's attestations. The pipeline gives it its name, and keeps nothing else of the job: a file in
 * it attests this job only.
 * @param job its id, or a variable that holds it
 */
export function folderOf(job: string): string {
  return `${FOLDER}/${DEFAULT_NAME}-attestation-${job}.1.1`;
}

/** Returns the members that a pool's jobs have. @param pool undefined for the default */
export function settingsOf(
  { settings, pools = {} }: PipelineInput,
  pool: string | undefined,
): Members {
  return pool === undefined ? settings : { ...settings, ...pools[pool] };
}

/** Returns the line of shell that runs a job. @param job its id, or a variable that holds it; quoted here */
export function execLine({ plan, file }: PipelineInput, job: string): string {
  return `yarn ci-dispatch exec --plan ${shellWord(file)} --plan-id ${plan.id} --job "${job}" --attempt 1 --attestations "${folderOf(job)}"`;
}

/** Files that the job that judges writes. */
export const VERDICT_FILES = ["verdict.json", "verdict.md", "junit.xml"];

/** Returns the line of shell that judges. */
export function verdictLine({ plan, file, tool }: PipelineInput): string {
  return `${tool} verdict --plan ${shellWord(file)} --plan-id ${plan.id} --attestations ${FOLDER} --layout artifacts --report verdict.json --summary verdict.md --junit junit.xml`;
}
