import type { Workload } from "@skein/delivery-metrics";
import type { Failing, FailedTest } from "./attestation.js";
import type { Attested, Fields, Plan, PlannedUnit } from "./plan.js";

/**
 * The plan minus the attestations: the result of all jobs. It is exchanged as a JSON file. Its golden file is the
 * contract test.
 */
export interface Verdict extends Pick<
  Plan,
  "head" | "reused" | "sameTree" | "earlier" | "skipped" | "alters"
> {
  readonly version: 1;
  readonly plan: string;
  readonly colour: "green" | "red";
  /** 0 if green, 1 if a test failed or could not run, 3 if something is missing or only machines failed. */
  readonly exitCode: 0 | 1 | 3;
  readonly counts: Readonly<Record<UnitState, number>>;
  /** All units of the plan, in its order. */
  readonly units: readonly JudgedUnit[];
  /** A hash of the tested tree, and of the runtime of its scripts; absent if a machine had another runtime. */
  readonly tree?: string | undefined;
  /** Files that don't count, each with its reason. */
  readonly refused: readonly Refused[];
  /** The set-up time of each job's newest machine in milliseconds, by job; absent if none was measured. */
  readonly setups?: Readonly<Record<string, number>> | undefined;
  /** The plan's selection; absent if the plan doesn't contain the workload of running everything. */
  readonly selection?: Selection | undefined;
}

/** The workload of a plan, and that of running everything. */
interface Selection {
  readonly selected: Workload;
  readonly everything: Workload;
  /** The predicted duration of the plan in milliseconds, including its set-up. */
  readonly predictedMs: number;
}

/** The states of a unit, from good to bad. */
export const UNIT_STATES = [
  "passed",
  "flaky",
  "recovered",
  "failed",
  "missing",
] as const;
/**
 * - `passed`: on the first attempt;
 * - `flaky`: failed before, on the same tree;
 * - `recovered`: a machine failed before;
 * - `failed`;
 * - `missing`: it has no attestation, whatever the platform reports.
 */
export type UnitState = (typeof UNIT_STATES)[number];

/** Whether a unit in each state makes the verdict red. */
const RED: Readonly<Record<UnitState, boolean>> = {
  passed: false,
  flaky: false,
  recovered: false,
  failed: true,
  missing: true,
};

/** Returns whether a unit in this state makes the verdict red. */
export function isRed({ state }: Pick<JudgedUnit, "state">): boolean {
  return RED[state];
}

/** The verdict of one unit. */
export interface JudgedUnit extends Pick<
  PlannedUnit,
  "id" | "whole" | "workspace" | "dir" | "notReused"
> {
  readonly job: string;
  readonly state: UnitState;
  /** Null if the unit passed on the first attempt. */
  readonly failure: Failing | null;
  readonly failedTests: readonly FailedTest[];
  /** The last lines of its newest run's output, if it failed without a named test. */
  readonly lastLines?: readonly string[] | undefined;
  /** The file of that run's output, relative to the folder of the attestations. */
  readonly log?: string | undefined;
  /** The number of its runs in all attempts. */
  readonly runs: number;
  /** The duration of the first run in the newest attempt; null if the unit is missing. */
  readonly durationMs: number | null;
  readonly files: Readonly<Record<string, number>>;
  /**
   * A hash of everything that the result depends on; present if the unit passed on the first attempt, on machines with
   * the planner's runtime.
   */
  readonly fingerprint?: string | undefined;
  /** The same hash for a unit that was flaky, recovered or failed; absent if it failed because of its machine. */
  readonly under?: string | undefined;
  /** The parts of either fingerprint; present if one of them is. */
  readonly fields?: Fields | undefined;
  /** The run in which it passed before under the plan's fingerprint. If it failed in this run, that was a false hit. */
  readonly recheck?: Attested | undefined;
}

/** An attestation file that doesn't count. */
export interface Refused {
  readonly file: string;
  readonly why: RefusalKind;
  readonly detail: string;
}

/** The reasons why a file doesn't count. */
export const REFUSAL_KINDS = [
  "malformed",
  "too-large",
  "other-plan",
  "unknown-job",
  "unknown-unit",
  "other-artifact",
  "no-artifact",
  "contradiction",
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];
