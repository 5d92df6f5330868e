/**
 * The requests to GitHub, and what was seen since. It is written to a file before and after every step, so that a
 * killed dispatcher can continue.
 */
export interface LaunchState {
  readonly version: 1;
  readonly plan: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly workflow: string;
  readonly ref: string;
  /** Inputs of every run, in addition to those of its job. */
  readonly inputs: Readonly<Record<string, string>>;
  /** How often a job gets another machine. */
  readonly retries: number;
  /** The earliest time of the launch's runs: ISO 8601, by GitHub's clock. Null if the workflow had no run yet. */
  readonly since: string | null;
  readonly jobs: readonly LaunchedJob[];
}

/** One job of the plan. */
export interface LaunchedJob {
  readonly job: string;
  /**
   * The input `id`, which the workflow uses as its run's name. It identifies a run whose id GitHub has not returned.
   */
  readonly id: string;
  /** The number of the machine, from 1. Each loss of a machine or retry of the job increases it. */
  readonly machine: number;
  /** The number of the run's attempt, from 1. A run may be retried. */
  readonly attempt: number;
  readonly phase: Phase;
  /** Null if unknown. If the job is `planned` and has a run, that run is retried. */
  readonly run: number | null;
  /** Null until the run has ended. */
  readonly conclusion: string | null;
  /** The number of consecutive looks without the expected result. */
  readonly unseen: number;
  /** Machines without an attestation. */
  readonly lost: readonly LostMachine[];
  /** How often the job got another machine because of its machine or a suspected flake. */
  readonly retried: number;
  /** Names of runs that were abandoned. A run that appears with one of them is cancelled. */
  readonly abandoned: readonly string[];
}

/** The known facts about a machine without an attestation. */
export interface LostMachine {
  readonly machine: number;
  /** The attempt of its run. */
  readonly attempt: number;
  /** Null if the run was requested and never seen. */
  readonly run: number | null;
  /** Null if the run was abandoned. */
  readonly conclusion: string | null;
}

/** The phases of a job, in order. */
export const PHASES = ["planned", "asked", "running", "over", "ended"] as const;
/**
 * - `planned`: to be requested;
 * - `asked`: requested, or about to be, and not seen yet;
 * - `running`: seen;
 * - `over`: its run has a conclusion, and its attestation has not been read yet;
 * - `ended`.
 */
type Phase = (typeof PHASES)[number];

/** A run as a list shows it. */
export interface SeenRun {
  readonly id: number;
  readonly title: string;
  /** The number of its newest attempt, from 1. */
  readonly attempt: number;
  /** The conclusion of its newest attempt; undefined if that is not over. */
  readonly conclusion: string | undefined;
}
