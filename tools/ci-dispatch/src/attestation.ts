/** What a job did, in its own words: evidence for the verdict. One file per job and attempt; its golden file is the contract test. */
export interface Attestation {
  readonly version: 1;
  /** Id of the plan it carried out. */
  readonly plan: string;
  readonly job: string;
  /** 1-based: the attempt of the workflow run. */
  readonly attempt: number;
  /** 1-based: the machine that the attempt gave it; above 1 where one before failed. */
  readonly machine: number;
  /** False in what is written while the job still runs: a machine that is lost leaves it so. */
  readonly finished: boolean;
  /** What it ran on: the machine's Node, platform and runner image; left out by versions that did not say. */
  readonly runtime?: string;
  /** What the machine took from its first step to its first unit: checkout and install; left out where nobody measured it. */
  readonly setupMs?: number;
  /** In words, what became of a machine that told nothing: written by who watched it from outside. */
  readonly lost?: string;
  /** Units that had started and not ended when this was written; left out where none had. */
  readonly running?: readonly string[];
  readonly units: readonly AttestedUnit[];
}

/** One unit of the job. Milliseconds are the machine's own; no clock is compared with another. */
export interface AttestedUnit {
  readonly id: string;
  /** The script's text. */
  readonly command: string;
  readonly verdict: "passed" | "failed";
  /** Of the first attempt, which ran the whole. */
  readonly durationMs: number;
  readonly attempts: readonly Attempt[];
  /** Null where it passed at once. */
  readonly failure: Failing | null;
  /** Milliseconds by test file, from the package's folder; empty where the runner does not tell. */
  readonly files: Readonly<Record<string, number>>;
}

/** One time a unit was run. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** As far as the runner tells. */
  readonly failedTests: readonly FailedTest[];
  /** The end of what a failed run printed; left out where it printed nothing. */
  readonly lastLines?: readonly string[];
  /** The file with what it printed, the beginning and the end of it above 1 MiB, from the folder of the attestation. */
  readonly log?: string;
}

export const OUTCOMES = [
  "passed",
  "failed",
  "timed-out",
  "cancelled",
  "skipped",
  "no-script",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A test that failed. */
export interface FailedTest {
  /** From the package's folder. */
  readonly file: string;
  /** 1-based; null where it is not known. */
  readonly line: number | null;
  readonly name: string;
  readonly message: string;
}

/**
 * Why a unit failed:
 * - `test`: a test, or the script itself, found something;
 * - `flaky`: failed, then passed on the same tree;
 * - `infrastructure`: the machine ended it: killed, lost, full disk, no network, out of time;
 * - `configuration`: it could not be run at all.
 */
export const FAILURE_CLASSES = [
  "test",
  "flaky",
  "infrastructure",
  "configuration",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** A class of failure, with the evidence that led to it. */
export interface Failing {
  readonly class: FailureClass;
  readonly evidence: readonly string[];
}
