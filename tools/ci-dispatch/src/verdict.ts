import type { Workload } from "@skein/delivery-metrics";
import type { Failing, FailedTest } from "./attestation.js";
import type {
  Attested,
  Fields,
  NotReused,
  PlannedSkip,
  Reused,
} from "./plan.js";

/** Plan minus attestations: what all jobs came to. Travels as a JSON file; its golden file is the contract test. */
export interface Verdict {
  readonly version: 1;
  readonly plan: string;
  readonly head: string | null;
  readonly colour: "green" | "red";
  /** 0 green, 1 a test failed or could not be run, 3 something is missing or only machines failed. */
  readonly exitCode: 0 | 1 | 3;
  readonly counts: Readonly<Record<UnitState, number>>;
  /** Every unit of the plan, in its order. */
  readonly units: readonly JudgedUnit[];
  /** What the plan did not run again, and where that passed; left out where there is nothing. */
  readonly reused?: readonly Reused[];
  /** The run that judged this very tree green, where it saves all units of packages. */
  readonly sameTree?: Attested;
  /** A hash of the tree that was tested, and of what its scripts ran on; left out where a machine was another one. */
  readonly tree?: string;
  /** Skips that the plan has said; there are no others. */
  readonly skipped: readonly PlannedSkip[];
  /** Files that were no credential, each with its reason. */
  readonly refused: readonly Refused[];
  /** What the change alters of what is tested, in the plan's words; left out where it alters nothing. */
  readonly alters?: readonly string[];
  /** Milliseconds that the set-up of each job's newest machine took, by job; left out where none was measured. */
  readonly setups?: Readonly<Record<string, number>>;
  /** What its plan selected; left out where the plan does not say what everything would have been. */
  readonly selection?: Selection;
}

/** What a plan runs, beside what running everything would have been. */
export interface Selection {
  readonly selected: Workload;
  readonly everything: Workload;
  /** What the plan was predicted to take, its set-up included; milliseconds. */
  readonly predictedMs: number;
}

export const UNIT_STATES = [
  "passed",
  "flaky",
  "recovered",
  "failed",
  "missing",
] as const;
/**
 * - `passed`: at once;
 * - `flaky`: failed before, on the same tree;
 * - `recovered`: a machine failed before;
 * - `failed`;
 * - `missing`: nothing vouches for it, whatever the platform says.
 */
export type UnitState = (typeof UNIT_STATES)[number];

/** Whether a unit in this state makes the verdict red. */
export function isRed({ state }: Pick<JudgedUnit, "state">): boolean {
  return state === "failed" || state === "missing";
}

/** One unit, judged. */
export interface JudgedUnit {
  readonly id: string;
  readonly whole: string;
  readonly workspace: string;
  readonly dir: string;
  readonly job: string;
  readonly state: UnitState;
  /** Null where it passed at once. */
  readonly failure: Failing | null;
  readonly failedTests: readonly FailedTest[];
  /** Where it failed and no test is named: the end of what its newest run printed. */
  readonly lastLines?: readonly string[];
  /** The file with what that run printed, from the folder of the attestations. */
  readonly log?: string;
  /** Times it was run, over all attempts. */
  readonly runs: number;
  /** Of the newest attempt's first run; null where it is missing. */
  readonly durationMs: number | null;
  readonly files: Readonly<Record<string, number>>;
  /** A hash of all that the result hangs on: where it passed at once, on machines like the one that planned. */
  readonly fingerprint?: string;
  /** The same, where it was flaky, recovered or failed; left out where a machine made it fail. */
  readonly under?: string;
  /** What either fingerprint is made of; there where one of them is. */
  readonly fields?: Fields;
  /** Where it passed before under the fingerprint of the plan: if it failed here, that was a false hit. */
  readonly recheck?: Attested;
  /** Why it was not reused. */
  readonly notReused?: NotReused;
}

/** A file among the attestations that counts for nothing. */
export interface Refused {
  readonly file: string;
  readonly why: RefusalKind;
  readonly detail: string;
}

export type RefusalKind =
  | "malformed"
  | "too-large"
  | "other-plan"
  | "unknown-job"
  | "unknown-unit"
  | "other-artifact"
  | "no-artifact"
  | "contradiction";
