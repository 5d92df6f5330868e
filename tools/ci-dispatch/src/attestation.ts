import * as json from "@skein/reporting/json";

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
export type FailedTest = json.TypeOf<typeof failedTest>;
export const failedTest = json.object({
  /** The path relative to the package's folder. */
  file: json.text,
  /** The line number from 1; null if unknown. */
  line: json.orNothing(json.number),
  name: json.text,
  message: json.text,
});

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
export type Failing = json.TypeOf<typeof failing>;
export const failing = json.object({
  class: json.oneOf(FAILURE_CLASSES),
  evidence: json.list(json.text),
});

/** One run of a unit. */
export type Attempt = json.TypeOf<typeof attempt>;
const attempt = json.object({
  outcome: json.oneOf(OUTCOMES),
  durationMs: json.number,
  exitCode: json.orNothing(json.number),
  signal: json.orNull(json.text),
  /** The failed tests that the runner reports. */
  failedTests: json.list(failedTest),
  /** The last lines of a failed run's output; absent without output. */
  lastLines: json.optional(json.list(json.text)),
  /**
   * The file of its output, in the attestation's own folder of logs. An output above 1 MiB is cut to its beginning and
   * end.
   */
  log: json.optional(
    json.matching(
      /^[a-z0-9][\w.-]*\.logs\/\d+\.log$/,
      "attempt.log isn't a file of the attestation",
    ),
  ),
});

/**
 * The record of one unit of the job. Its milliseconds are from the machine's own clock, which isn't compared with
 * another.
 */
export type AttestedUnit = json.TypeOf<typeof unit>;
const unit = json.checked(
  json.object({
    id: json.text,
    /** The script's text. */
    command: json.text,
    verdict: json.oneOf(["passed", "failed"]),
    /** The duration of the first attempt, which ran all test files. */
    durationMs: json.number,
    attempts: json.list(attempt),
    /** Null if the unit passed on the first attempt. */
    failure: json.orNull(failing),
    /** Milliseconds by test file, relative to the package's folder; empty if the runner doesn't report them. */
    files: json.byName(json.number),
    /**
     * The files with the coverage of its runs, in the attestation's own folder of coverage: istanbul's JSON, compressed
     * by gzip. Absent without any.
     */
    coverage: json.optional(
      json.list(
        json.matching(
          /^[a-z0-9][\w.-]*\.coverage\/\d+\.json\.gz$/,
          "unit.coverage isn't a file of the attestation",
        ),
      ),
    ),
  }),
  ({ id, verdict, attempts, failure }) => {
    if ((verdict === "passed") !== (attempts.at(-1)?.outcome === "passed"))
      return `the unit ${id} contradicts its last run`;
    return verdict === "failed" && failure === null
      ? `the unit ${id} failed without a class`
      : undefined;
  },
);

/** GitHub allows at most 50 re-runs of a workflow run. */
const MOST_TURNS = 1000;

/**
 * A job's record of what it did: evidence for the verdict. Each job and attempt has one file. Its golden file is the
 * contract test.
 */
export type Attestation = json.TypeOf<typeof ATTESTATION>;
export const ATTESTATION = json.object({
  version: json.version(1),
  /** The id of the plan. */
  plan: json.text,
  job: json.text,
  /** The number of the workflow run's attempt, from 1. */
  attempt: json.ordinal(MOST_TURNS),
  /** The number of the machine in this attempt, from 1; higher if an earlier machine failed. */
  machine: json.ordinal(MOST_TURNS),
  /** False while the job is still running. If the machine is lost, it stays false. */
  finished: json.boolean,
  /** The runtime: the machine's Node, platform and runner image; absent in records of older versions. */
  runtime: json.optional(json.text),
  /**
   * The time from the machine's first step to its first unit, for checkout and install; absent if it wasn't measured.
   */
  setupMs: json.optional(json.number),
  /** A description of the loss of a machine, written by an observer. */
  lost: json.optional(json.text),
  /** Units that had started and not ended at the time of writing; absent without any. */
  running: json.optional(json.list(json.text)),
  units: json.list(unit),
});
