import type { Workload } from "@skein/delivery-metrics";
import type { InlineMode, TimeoutSettings } from "@skein/workspaces";

/** A plan: which units run in which job. Travels as a JSON file; its golden file is the contract test. */
export interface Plan {
  readonly version: 1;
  /** Hash of all other members (`plan-id.ts`): who reads the plan computes it again. */
  readonly id: string;
  /** Hash of everything the plan was made from: the same inputs, the same id and the same jobs. */
  readonly inputs: string;
  /** Commit the change was compared from; null where there is none to name. */
  readonly base: string | null;
  readonly head: string | null;
  readonly jobs: readonly PlannedJob[];
  /** What passed before under the same fingerprint, and so is not run again; left out where there is nothing. */
  readonly reused?: readonly Reused[];
  /** The run that judged this very tree green, where it saves all units of packages; left out where it does not. */
  readonly sameTree?: Attested;
  /** A hash of the tree that is tested, and of what its scripts run on; left out where fingerprints are unknown. */
  readonly tree?: string;
  /** What the fingerprints of its units are worth on: the planner's Node, platform and runner image. */
  readonly runtime?: string;
  /** What was affected and yet is not run, each with its reason. Nothing else may be skipped. */
  readonly skipped: readonly PlannedSkip[];
  /** Times a failed unit is run again on its machine. */
  readonly retries: number;
  readonly prediction: Prediction;
  /** What running everything would have been, with the same durations; left out by versions that did not ask. */
  readonly everything?: Workload;
  /** What the change alters of what is tested, in words; left out where it alters nothing. */
  readonly alters?: readonly string[];
  /** What the plan could not know, in words. */
  readonly notes: readonly string[];
}

/** - `inline`: it holds all units of the plan, those of the application suite too. */
export const JOB_KINDS = ["application", "packages", "inline"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The units of one machine. */
export interface PlannedJob {
  /** Small letters, digits and hyphens; all that a leg of the matrix carries. */
  readonly id: string;
  readonly kind: JobKind;
  /** The pool of machines that runs it; left out for the workflow's own runner. */
  readonly pool?: string;
  /** Sum of its units, without the set-up. */
  readonly expectedMs: number;
  readonly units: readonly PlannedUnit[];
}

/** A script of one package, or a shard of it. */
export interface PlannedUnit {
  /** `package#script`, with `[2/3]` behind it for a shard. */
  readonly id: string;
  /** `package#script`: what history knows it by. */
  readonly whole: string;
  readonly workspace: string;
  /** From the project's root, `.` for the root itself. */
  readonly dir: string;
  readonly script: string;
  /** The step of the application suite; null for an affected package. */
  readonly step: string | null;
  readonly shard: Shard | null;
  readonly runner: "jest" | "other";
  readonly expectedMs: number;
  readonly timeoutMs: number;
  readonly estimate: Estimate;
  /** A hash of all that its whole's result hangs on; left out where that is unknown. */
  readonly fingerprint?: string;
  /** What the fingerprint is made of: a short hash by the field's name; there where the fingerprint is. */
  readonly fields?: Fields;
  /** Where it passed under this fingerprint, where it runs nevertheless. */
  readonly recheck?: Attested;
  /** Why it is not reused; left out where it never passed under a known fingerprint. */
  readonly notReused?: NotReused;
  /** Why it must run, in words. */
  readonly why: string;
}

/** The fields of a fingerprint, in its order: the first 8 hexadecimal digits of each one's hash, by its name. */
export type Fields = Readonly<Record<string, string>>;

/** Where a unit passed under a fingerprint. */
export interface Attested {
  readonly commit: string;
  /** Id of the workflow run. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Why a unit runs although earlier runs attested it. */
export type NotReused =
  /** The first field in which its fingerprint differs from the newest one under which it passed. */
  | { readonly kind: "changed"; readonly field: string; readonly since: Attested }
  /** Environment variables that it may read, and that the CI sets anew in each run. */
  | { readonly kind: "varies"; readonly variables: readonly string[] }
  /** The run in which it failed under the same fingerprint. */
  | { readonly kind: "failed"; readonly run: string };

/** A unit that is not run, since a trusted run attested it under the same fingerprint. */
export interface Reused extends Attested {
  /** `package#script`. */
  readonly whole: string;
  readonly fingerprint: string;
}

/** A part of a unit's test files. */
export interface Shard {
  /** 1-based. */
  readonly index: number;
  readonly count: number;
  /** From the package's folder. Files that no shard names are dealt out by Jest's own list, so that none is lost. */
  readonly files: readonly string[];
}

/** Where a duration comes from. */
export type Estimate =
  | {
      readonly kind: "history";
      readonly runs: number;
      readonly p90Ms: number;
      /** Of these runs, how many failed and then passed on the same tree. */
      readonly flakes: number;
    }
  | {
      readonly kind: "test-files";
      readonly files: number;
      readonly perFileMs: number;
    }
  | { readonly kind: "default"; readonly ms: number };

/** An affected package's script that is not run. */
export interface PlannedSkip {
  readonly workspace: string;
  readonly script: string;
  readonly why: "no-script" | "root";
}

/** What the plan should take. Milliseconds; without set-up where not said. */
export interface Prediction {
  /** The longest job, its set-up included. */
  readonly wallMs: number;
  readonly setupMs: number;
  /** Sum of all units. */
  readonly totalMs: number;
  /** Of the jobs that hold packages, the longest. */
  readonly makespanMs: number;
  /** max(largest unit, total / jobs), over the jobs that hold packages. */
  readonly lowerBoundMs: number;
  /** makespanMs / lowerBoundMs; 1 where there is nothing to pack. */
  readonly ratio: number;
  /** GitHub bills each job by the minute, begun ones whole. */
  readonly billedMinutes: number;
  readonly boundBy: BoundBy;
}

/** What keeps the plan from being shorter. */
export type BoundBy =
  | { readonly kind: "nothing" }
  | { readonly kind: "application"; readonly unit: string }
  | { readonly kind: "largest-unit"; readonly unit: string }
  | { readonly kind: "machines"; readonly jobs: number };

/** How jobs are to be made. */
export interface PlanOptions {
  /** A fixed number of jobs for packages; undefined where the target decides. */
  readonly jobs: number | undefined;
  /** Jobs for packages at least, where there are as many units: machines that stand ready anyway. Default: 1. */
  readonly minJobs?: number;
  readonly targetMs: number;
  /** At most 256 for a matrix. */
  readonly maxJobs: number;
  readonly setupMs: number;
  /** Of how many runs this is the P90; undefined where it is a setting. */
  readonly setupRuns?: number;
  readonly onePackagePerJob: boolean;
  /** Whether all units run in one job. Default: never. */
  readonly inline?: InlineMode;
  readonly timeout: TimeoutSettings;
  readonly retries: number;
}
