/**
 * What has been asked of GitHub, and what was seen there since. Written to a file before and after every step, so that
 * a dispatcher that is killed goes on where it stood.
 */
export interface LaunchState {
  readonly version: 1;
  readonly plan: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly workflow: string;
  readonly ref: string;
  /** Inputs of every run, besides those of its job. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Times a job is given another machine. */
  readonly retries: number;
  /** No run of this launch is older: ISO 8601, by GitHub's own clock. Null where the workflow had no run yet. */
  readonly since: string | null;
  readonly jobs: readonly LaunchedJob[];
}

/** One job of the plan. */
export interface LaunchedJob {
  readonly job: string;
  /** Sent as the input `id`, which the workflow shows as its run's name: by it a run is known whose id was never told. */
  readonly id: string;
  /** 1-based: another one each time it is asked for. */
  readonly machine: number;
  /** 1-based: of its run, which may be asked to run again. */
  readonly attempt: number;
  readonly phase: Phase;
  /** Null as long as it is not known. One that is known of a job that is `planned` is asked to run again. */
  readonly run: number | null;
  /** Null until the run has ended. */
  readonly conclusion: string | null;
  /** Looks that have not found what they were looking for, one after another. */
  readonly unseen: number;
  /** Machines that told nothing. */
  readonly lost: readonly LostMachine[];
  /** Times its machine, or a suspected flake, was the reason to ask for another one. */
  readonly retried: number;
  /** Names under which it was given up: a run that appears with one of them is cancelled. */
  readonly abandoned: readonly string[];
}

/** A machine that told nothing, and all that is known of it. */
export interface LostMachine {
  readonly machine: number;
  /** Of its run. */
  readonly attempt: number;
  /** Null where it was asked for, and never seen. */
  readonly run: number | null;
  /** Null where it was given up. */
  readonly conclusion: string | null;
}

export const PHASES = ["planned", "asked", "running", "over", "ended"] as const;
/**
 * - `planned`: to be asked for;
 * - `asked`: asked for, or about to be, and not seen yet;
 * - `running`: seen;
 * - `over`: its run has a conclusion, and what it attests is not read yet;
 * - `ended`.
 */
export type Phase = (typeof PHASES)[number];

/** A run as a list shows it. */
export interface SeenRun {
  readonly id: number;
  readonly title: string;
  /** Its newest; 1-based. */
  readonly attempt: number;
  /** Of its newest attempt; undefined where that is not over. */
  readonly conclusion: string | undefined;
}
