import * as json from "@skein/reporting/json";

/**
 * The phases of a job, in order:
 * - `planned`: to be requested;
 * - `asked`: requested, or about to be, and not seen yet;
 * - `running`: seen;
 * - `over`: its run has a conclusion, and its attestation has not been read yet;
 * - `ended`.
 */
const PHASES = ["planned", "asked", "running", "over", "ended"] as const;

/** The known facts about a machine without an attestation. */
export type LostMachine = json.TypeOf<typeof lostMachine>;
const lostMachine = json.object({
  machine: json.whole,
  /** The attempt of its run. */
  attempt: json.whole,
  /** Null if the run was requested and never seen. */
  run: json.orNothing(json.number),
  /** Null if the run was abandoned. */
  conclusion: json.orNull(json.text),
});

/** One job of the plan. */
export type LaunchedJob = json.TypeOf<typeof launchedJob>;
const launchedJob = json.object({
  job: json.text,
  /**
   * The input `id`, which the workflow uses as its run's name. It identifies a run whose id GitHub has not returned.
   */
  id: json.text,
  /** The number of the machine, from 1. Each loss of a machine or retry of the job increases it. */
  machine: json.whole,
  /** The number of the run's attempt, from 1. A run may be retried. */
  attempt: json.whole,
  phase: json.oneOf(PHASES),
  /** Null if unknown. If the job is `planned` and has a run, that run is retried. */
  run: json.orNothing(json.number),
  /** Null until the run has ended. */
  conclusion: json.orNull(json.text),
  /** The number of consecutive looks without the expected result. */
  unseen: json.number,
  /** Machines without an attestation. */
  lost: json.list(lostMachine),
  /** How often the job got another machine because of its machine or a suspected flake. */
  retried: json.number,
  /** Names of runs that were abandoned. A run that appears with one of them is cancelled. */
  abandoned: json.list(json.text),
});

/**
 * The requests to GitHub, and what was seen since. It is written to a file before and after every step, so that a
 * killed dispatcher can continue.
 */
export type LaunchState = json.TypeOf<typeof LAUNCH_STATE>;
export const LAUNCH_STATE = json.object({
  version: json.version(1),
  plan: json.text,
  /** `owner/name`. */
  repository: json.text,
  workflow: json.text,
  ref: json.text,
  /** Inputs of every run, in addition to those of its job. */
  inputs: json.byName(json.text),
  /** How often a job gets another machine. */
  retries: json.number,
  /** The earliest time of the launch's runs: ISO 8601, by GitHub's clock. Null if the workflow had no run yet. */
  since: json.orNull(json.text),
  jobs: json.list(launchedJob),
});

/** A run as a list shows it. */
export interface SeenRun {
  readonly id: number;
  readonly title: string;
  /** The number of its newest attempt, from 1. */
  readonly attempt: number;
  /** The conclusion of its newest attempt; undefined if that is not over. */
  readonly conclusion: string | undefined;
}
