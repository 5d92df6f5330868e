/**
 * A job's record of what it did: evidence for the verdict. Each job and attempt has one file. Its golden file is the
 * contract test.
 */
export interface Attestation {
  readonly version: 1;
  /** The id of the plan. */
  readonly plan: string;
  readonly job: string;
  /** The number of the workflow run's attempt, from 1. */
  readonly attempt: number;
  /** The number of the machine in this attempt, from 1; higher if an earlier machine failed. */
  readonly machine: number;
  /** False while the job is still running. If the machine is lost, it stays false. */
  readonly finished: boolean;
  /** The runtime: the machine's Node, platform and runner image; absent in records of older versions. */
  readonly runtime?: string | undefined;
  /**
   * The time from the machine's first step to its first unit, for checkout and install; absent if it wasn't measured.
   */
  readonly setupMs?: number | undefined;
  /** A description of the loss of a machine, written by an observer. */
  readonly lost?: string | undefined;
  /** Units that had started and not ended at the time of writing; absent without any. */
  readonly running?: readonly string[] | undefined;
  readonly units: readonly AttestedUnit[];
}

/**
 * The record of one unit of the job. Its milliseconds are from the machine's own clock, which isn't compared with
 * another.
 */
export interface AttestedUnit {
  readonly id: string;
  /** The script's text. */
  readonly command: string;
  readonly verdict: "passed" | "failed";
  /** The duration of the first attempt, which ran all test files. */
  readonly durationMs: number;
  readonly attempts: readonly Attempt[];
  /** Null if the unit passed on the first attempt. */
  readonly failure: Failing | null;
  /** Milliseconds by test file, relative to the package's folder; empty if the runner doesn't report them. */
  readonly files: Readonly<Record<string, number>>;
  /**
   * The files with the coverage of its runs, relative to the attestation's folder: istanbul's JSON, compressed by gzip.
   * Absent without any.
   */
  readonly coverage?: readonly string[] | undefined;
}

/** One run of a unit. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The failed tests that the runner reports. */
  readonly failedTests: readonly FailedTest[];
  /** The last lines of a failed run's output; absent without output. */
  readonly lastLines?: readonly string[] | undefined;
  /**
   * The file of its output, relative to the attestation's folder. An output above 1 MiB is cut to its beginning and
   * end.
   */
  readonly log?: string | undefined;
}

/** The ends of a run of a unit. */
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
  /** The path relative to the package's folder. */
  readonly file: string;
  /** The line number from 1; null if unknown. */
  readonly line: number | null;
  readonly name: string;
  readonly message: string;
}

/**
 * Why a unit failed:
 * - `test`: a test, or the script itself, found a problem;
 * - `flaky`: the unit failed, then passed on the same tree;
 * - `infrastructure`: the machine ended it: killed, lost, full disk, no network, out of time;
 * - `configuration`: the unit could not run.
 */
export const FAILURE_CLASSES = [
  "test",
  "flaky",
  "infrastructure",
  "configuration",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** A class of failure and its evidence. */
export interface Failing {
  readonly class: FailureClass;
  readonly evidence: readonly string[];
}
