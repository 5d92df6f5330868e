import type { Workload } from "@skein/delivery-metrics";
import type { InlineMode, TimeoutSettings } from "@skein/workspaces";
import type { RunnerName } from "./runners/test-runner.js";

/** A plan: which units run in which job. It is exchanged as a JSON file. Its golden file is the contract test. */
export interface Plan {
  readonly version: 1;
  /** A hash of all other members (`plan-id.ts`). Readers of the plan compute it again. */
  readonly id: string;
  /** A hash of all inputs of the plan. The same inputs result in the same id and the same jobs. */
  readonly inputs: string;
  /** The commit that the change was compared with; null without one. */
  readonly base: string | null;
  readonly head: string | null;
  readonly jobs: readonly PlannedJob[];
  /** Units that passed before under the same fingerprint, and so don't run; absent without any. */
  readonly reused?: readonly Reused[] | undefined;
  /** The run that judged the same tree green, if all units of packages are reused from it; otherwise absent. */
  readonly sameTree?: Attested | undefined;
  /** The earlier pushes of the same pull request that were judged, oldest first; absent without any. */
  readonly earlier?: readonly EarlierPush[] | undefined;
  /** A hash of the tested tree, and of the runtime of its scripts; absent if fingerprints are unknown. */
  readonly tree?: string | undefined;
  /** The runtime for which the fingerprints of its units are valid: the planner's Node, platform and runner image. */
  readonly runtime?: string | undefined;
  /** Affected scripts that don't run, each with its reason. Nothing else may be skipped. */
  readonly skipped: readonly PlannedSkip[];
  /** How often a failed unit is retried on its machine. */
  readonly retries: number;
  readonly prediction: Prediction;
  /** The workload of running everything, with the same durations; absent in plans of older versions. */
  readonly everything?: Workload | undefined;
  /** Descriptions of how the change alters what is tested; absent if it doesn't. */
  readonly alters?: readonly string[] | undefined;
  /** The units whose traces this run records; absent for none. */
  readonly traces?: PlannedTraces | undefined;
  /** Descriptions of what the planner could not determine. */
  readonly notes: readonly string[];
}

/** The units that one run records under trace, besides its jobs. */
export interface PlannedTraces {
  readonly script: string;
  /** Names of packages. */
  readonly packages: readonly string[];
  /** How long they may take together, in seconds. */
  readonly budgetSeconds: number;
  /** A hash of the workflow's inputs and of what scripts run on. */
  readonly environment: string;
  /** The environment in which scripts run: the planner's Node, platform and runner image. */
  readonly runtime: string;
}

/** - `inline`: the job contains all units of the plan, including those of the application suite. */
export const JOB_KINDS = ["application", "packages", "inline"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The units of one machine. */
export interface PlannedJob {
  /** Lowercase letters, digits and hyphens. A matrix contains only these ids. */
  readonly id: string;
  readonly kind: JobKind;
  /** The pool of machines for it; absent for the workflow's own runner. */
  readonly pool?: string | undefined;
  /** The sum of its units' durations, without the set-up. */
  readonly expectedMs: number;
  readonly units: readonly PlannedUnit[];
}

/** A script of one package, or a shard of it. */
export interface PlannedUnit {
  /** `package#script`, followed by `[2/3]` for a shard. */
  readonly id: string;
  /** `package#script`: the name in the history. */
  readonly whole: string;
  readonly workspace: string;
  /** The folder relative to the project's root; `.` for the root itself. */
  readonly dir: string;
  readonly script: string;
  /** The step of the application suite; null for an affected package. */
  readonly step: string | null;
  readonly shard: Shard | null;
  /** The program of its test files. */
  readonly runner: RunnerName | "other";
  readonly expectedMs: number;
  readonly timeoutMs: number;
  readonly estimate: Estimate;
  /** A hash of everything that the result of the whole script depends on; absent if unknown. */
  readonly fingerprint?: string | undefined;
  /** The parts of the fingerprint: a short hash by the field's name; present if the fingerprint is. */
  readonly fields?: Fields | undefined;
  /** The run in which it passed under this fingerprint or under trace, if it runs nevertheless. */
  readonly recheck?: Attested | undefined;
  /** Why it isn't reused; absent if it never passed under a known fingerprint. */
  readonly notReused?: NotReused | undefined;
  /** Why it must run. */
  readonly why: string;
}

/** The fields of a fingerprint, in its order: the first 8 hexadecimal digits of each field's hash, by its name. */
export type Fields = Readonly<Record<string, string>>;

/** The run in which a unit passed. */
export interface Attested {
  readonly commit: string;
  /** The id of the workflow run. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** It passed under trace, and nothing that it read has changed. Absent: it passed under the same fingerprint. */
  readonly by?: "trace" | undefined;
}

/** Why a unit runs although earlier runs attested it. */
export type NotReused =
  /** The first field that differs from the newest fingerprint under which it passed. */
  | {
      readonly kind: "changed";
      readonly field: string;
      readonly since: Attested;
    }
  /** Environment variables that it may read, and that the CI sets to a new value in each run. */
  | { readonly kind: "varies"; readonly variables: readonly string[] }
  /** The run in which it failed under the same fingerprint. */
  | { readonly kind: "failed"; readonly run: string };

/** A unit that doesn't run, because a trusted run attested it under the same fingerprint, or with the same observations. */
export interface Reused extends Attested {
  /** `package#script`. */
  readonly whole: string;
  /** Present unless a trace attests it. */
  readonly fingerprint?: string | undefined;
  /** Its expected duration in milliseconds. Absent in plans of versions that did not compute it. */
  readonly expectedMs?: number | undefined;
}

/** How much an earlier push of a pull request reused, according to its verdict. */
export interface EarlierPush {
  /** The id of the workflow run. */
  readonly run: string;
  /** The pushed commit. */
  readonly commit: string;
  /** The time of its verdict: ISO 8601, UTC. */
  readonly at: string;
  /** The number of selected units. */
  readonly units: number;
  readonly reused: number;
  /** The expected duration of the reused units in milliseconds. */
  readonly reusedMs: number;
}

/** A part of a unit's test files. */
interface Shard {
  /** The number of the shard, from 1. */
  readonly index: number;
  readonly count: number;
  /**
   * Paths relative to the package's folder. Test files that the program finds and no shard names are distributed over
   * all shards, so that none is lost.
   */
  readonly files: readonly string[];
}

/** The source of a duration. */
export type Estimate =
  | {
      readonly kind: "history";
      readonly runs: number;
      readonly p90Ms: number;
      /** The number of these runs that failed and then passed on the same tree. */
      readonly flakes: number;
    }
  | {
      readonly kind: "test-files";
      readonly files: number;
      readonly perFileMs: number;
    }
  | { readonly kind: "default"; readonly ms: number };

/** A script of an affected package that doesn't run. */
export interface PlannedSkip {
  readonly workspace: string;
  readonly script: string;
  readonly why: "no-script" | "root";
}

/** The predicted durations in milliseconds, without set-up unless stated otherwise. */
export interface Prediction {
  /** The duration of the longest job, including its set-up. */
  readonly wallMs: number;
  readonly setupMs: number;
  /** The sum of all units. */
  readonly totalMs: number;
  /** The duration of the longest job with packages. */
  readonly makespanMs: number;
  /** max(largest unit, total / jobs), over the jobs with packages. */
  readonly lowerBoundMs: number;
  /** makespanMs / lowerBoundMs; 1 if there is nothing to pack. */
  readonly ratio: number;
  /** The minutes that GitHub bills: each job's duration, rounded up to whole minutes. */
  readonly billedMinutes: number;
  readonly boundBy: BoundBy;
}

/** The reason why the plan isn't shorter. */
export type BoundBy =
  | { readonly kind: "nothing" }
  | { readonly kind: "application"; readonly unit: string }
  | { readonly kind: "largest-unit"; readonly unit: string }
  | { readonly kind: "machines"; readonly jobs: number };

/** The options for making jobs. */
export interface PlanOptions {
  /** A fixed number of jobs for packages; undefined if the target decides. */
  readonly jobs: number | undefined;
  /**
   * The minimum number of jobs for packages, if there are as many units, for machines that are available anyway.
   * Default: 1.
   */
  readonly minJobs?: number | undefined;
  /** The target duration of a job with its set-up, in milliseconds. */
  readonly targetMs: number;
  /** At most 256 for a matrix. */
  readonly maxJobs: number;
  /** The set-up time of each job in milliseconds. */
  readonly setupMs: number;
  /** The number of runs that the P90 `setupMs` is from; undefined if it is a setting. */
  readonly setupRuns?: number | undefined;
  readonly onePackagePerJob: boolean;
  /** Whether all units run in one job. Default: never. */
  readonly inline?: InlineMode | undefined;
  readonly timeout: TimeoutSettings;
  readonly retries: number;
}
