import { whole, type Program } from "@skein/reporting/command-line";
import { InvalidArgumentError } from "commander";
import type { ChangeOptions, PlanOverrides } from "../command.js";
import { DEFAULT_NAME } from "../verdict/layout.js";

/** The options that commander passes to the action of a command that plans. */
export interface PlanFlags extends Omit<PlanOverrides, "fetchHistory"> {
  readonly affected: readonly string[];
  readonly base?: string;
  readonly head?: string;
  readonly since?: string;
  readonly committed?: boolean;
  readonly pr?: string;
  readonly fallback?: string;
  readonly filter: readonly string[];
  readonly fetchHistory?: string | true;
}

/** Appends the value of an option that can be repeated. */
export const each = (value: string, all: readonly string[]): string[] => [
  ...all,
  value,
];

/** Declares the options of every command that plans. */
export function planFlags(program: Program): Program {
  return program
    .optionsGroup("The change:")
    .option(
      "--affected <file>",
      "the output of `affected list --json` (default: run `affected`); may be repeated",
      each,
      [],
    )
    .option("--base <ref>", "passed to `affected`: compare from the merge base")
    .option("--head <ref>", "passed to `affected`: compare up to this")
    .option("--since <ref>", "passed to `affected`: compare from this commit")
    .option("--committed", "passed to `affected`: ignore the working tree")
    .option(
      "--pr <owner/repo#n>",
      "passed to `affected`: use the changes of a pull request",
    )
    .option(
      "--fallback <what>",
      "passed to `affected`: if there is nothing to compare with, fail (error) or select everything (all)",
    )
    .option(
      "--filter <query>",
      "passed to `affected`: consider only these packages; may be repeated",
      each,
      [],
    )
    .optionsGroup("The jobs (default: `dispatch` in skein.json):")
    .option("--jobs <n>", "the exact number of jobs for packages", whole)
    .option(
      "--target <seconds>",
      "the target duration of a job, including its set-up",
      seconds,
    )
    .option(
      "--max-jobs <n>",
      "the maximum number of jobs, 256 on GitHub",
      whole,
    )
    .option(
      "--setup <seconds>",
      "the time that each job takes before its first script",
      seconds,
    )
    .option("--one-package-per-job", "do not pack packages together")
    .optionsGroup("Earlier results:")
    .option(
      "--history <file>",
      "NDJSON of earlier runs, plain or gzip; may be repeated",
      each,
      [],
    )
    .option(
      "--environment <word>",
      "other inputs of units, such as the workflow's; a unit is reused only if they are the same",
    )
    .option(
      "--fetch-history [remote]",
      "read the branch ci-history of a remote (default: origin)",
    );
}

/** Returns the options that determine the change. */
export function changeOptions(flags: PlanFlags): ChangeOptions {
  const { affected, base, head, since, committed, pr, fallback } = flags;
  const option = (name: string, value: string | undefined) =>
    // The option and its value form one word, so that a value that begins with a hyphen stays a value.
    value === undefined ? [] : [`--${name}=${value}`];
  return {
    affected,
    ask: [
      ...option("base", base),
      ...option("head", head),
      ...option("since", since),
      ...(committed ? ["--committed"] : []),
      ...option("pr", pr),
      ...option("fallback", fallback),
      ...flags.filter.flatMap((query) => option("filter", query)),
    ],
  };
}

/** Returns the options that override skein.json. */
export function planOverrides(flags: PlanFlags): PlanOverrides {
  return {
    jobs: flags.jobs,
    target: flags.target,
    maxJobs: flags.maxJobs,
    setup: flags.setup,
    onePackagePerJob: flags.onePackagePerJob,
    history: flags.history,
    environment: flags.environment,
    fetchHistory: flags.fetchHistory === true ? "origin" : flags.fetchHistory,
  };
}

/** Parses milliseconds that a step of a workflow has measured. A step without a measurement passes an empty word. */
export function measuredMs(text: string): number | undefined {
  return text === "" ? undefined : whole(text);
}

/** The option for the time at which a job began. */
export const BEGAN = [
  "--began <ms>",
  "when the job's first step began, in milliseconds since 1970; used to measure the job's duration",
  measuredMs,
] as const;

/** Parses seconds, including 0. */
function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError("It must be a number of seconds.");
  return value;
}

/** The option for the number of the attempt. */
export const ATTEMPT = [
  "--attempt <n>",
  "the attempt of the run (default: GITHUB_RUN_ATTEMPT, else 1)",
  whole,
] as const;

/** The option that pins the plan. */
export const PLAN_ID = [
  "--plan-id <id>",
  "the output `plan` of the planning job; any other plan is rejected",
] as const;

/** The option that distinguishes the artifacts, check and comment of two calls in one workflow. */
export const NAME = [
  "--name <name>",
  "the prefix of the workflow's artifacts, and the name of its check",
  artifactName,
  DEFAULT_NAME,
] as const;

/** Parses a name that is safe in a file's name, a pattern and a check's name. */
function artifactName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError(
    "It must consist of lowercase letters, digits and hyphens, at most 40 characters.",
  );
}
