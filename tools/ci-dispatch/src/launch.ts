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
  readonly jobs: readonly LaunchedJob[];
}

/** One job of the plan. */
export interface LaunchedJob {
  readonly job: string;
  /** Sent as the input `id`, which the workflow shows as its run's name: by it a run is known whose id was never told. */
  readonly id: string;
  readonly phase: Phase;
  /** Null as long as it is not known. */
  readonly run: number | null;
  /** Null until the run has ended. */
  readonly conclusion: string | null;
  /** Looks that have not found it, one after another. */
  readonly unseen: number;
  /** Times it was given up as lost and asked for anew. */
  readonly losses: number;
}

export const PHASES = ["planned", "asked", "running", "ended"] as const;
/**
 * - `planned`: never asked for;
 * - `asked`: asked for, or about to be: whether it has started is not known;
 * - `running`: seen, or told by GitHub;
 * - `ended`: its run has a conclusion.
 */
export type Phase = (typeof PHASES)[number];

/** A run as a list shows it. */
export interface SeenRun {
  readonly id: number;
  readonly title: string;
  readonly conclusion: string | undefined;
}
