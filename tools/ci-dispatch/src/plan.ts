import type { Workload } from "@skein/delivery-metrics";
import * as json from "@skein/reporting/json";
import {
  POOL_NAME,
  type InlineMode,
  type TimeoutSettings,
} from "@skein/workspaces";
import { RUNNER_NAMES } from "./runners/test-runner.js";

/** The run in which a unit passed. */
export type Attested = json.TypeOf<typeof attested>;
const ATTESTED = {
  commit: json.text,
  /** The id of the workflow run. */
  run: json.text,
  /** ISO 8601, UTC. */
  at: json.text,
  /** It passed under trace, and nothing that it read has changed. Absent: it passed under the same fingerprint. */
  by: json.optional(json.oneOf(["trace"])),
};
const attested = json.object(ATTESTED);

/** Why a unit runs although earlier runs attested it. */
export type NotReused = json.TypeOf<typeof notReused>;
const notReused = json.union({
  /** The first field that differs from the newest fingerprint under which it passed. */
  changed: { field: json.text, since: attested },
  /** Environment variables that it may read, and that the CI sets to a new value in each run. */
  varies: { variables: json.list(json.text) },
  /** The run in which it failed under the same fingerprint. */
  failed: { run: json.text },
});

/** The source of a duration. */
export type Estimate = json.TypeOf<typeof estimate>;
const estimate = json.union({
  history: {
    runs: json.number,
    p90Ms: json.number,
    /** The number of these runs that failed and then passed on the same tree. */
    flakes: json.number,
  },
  "test-files": { files: json.number, perFileMs: json.number },
  default: { ms: json.number },
});

/** The fields of a fingerprint, in its order: the first 8 hexadecimal digits of each field's hash, by its name. */
export type Fields = json.TypeOf<typeof fields>;
const fields = json.byName(json.text);

/** The fingerprint of a unit, as plans and verdicts contain it. */
export const REUSE_OF_UNIT = {
  /** A hash of everything that the result of the whole script depends on; absent if unknown. */
  fingerprint: json.optional(json.text),
  /** The parts of the fingerprint: a short hash by the field's name; present if the fingerprint is. */
  fields: json.optional(fields),
  /** The run in which it passed under this fingerprint or under trace, if it runs nevertheless. */
  recheck: json.optional(attested),
  /** Why it isn't reused; absent if it never passed under a known fingerprint. */
  notReused: json.optional(notReused),
};

/** A script of one package, or a shard of it. */
export type PlannedUnit = json.TypeOf<typeof unit>;
const unit = json.object({
  /** `package#script`, followed by `[2/3]` for a shard. */
  id: json.text,
  /** `package#script`: the name in the history. */
  whole: json.text,
  workspace: json.text,
  /** The folder relative to the project's root; `.` for the root itself. */
  dir: json.text,
  script: json.text,
  /** The step of the application suite; null for an affected package. */
  step: json.orNull(json.text),
  /** A part of a unit's test files. */
  shard: json.orNull(
    json.object({
      /** The number of the shard, from 1. */
      index: json.number,
      count: json.number,
      /**
       * Paths relative to the package's folder. Test files that the program finds and no shard names are distributed
       * over all shards, so that none is lost.
       */
      files: json.list(json.text),
    }),
  ),
  /** The program of its test files. */
  runner: json.oneOf([...RUNNER_NAMES, "other"]),
  expectedMs: json.number,
  timeoutMs: json.number,
  estimate,
  ...REUSE_OF_UNIT,
  /** Why it must run. */
  why: json.text,
});

/** - `inline`: the job contains all units of the plan, including those of the application suite. */
export const JOB_KINDS = ["application", "packages", "inline"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The units of one machine. */
export type PlannedJob = json.TypeOf<typeof job>;
const job = json.object({
  /** A matrix contains only these ids. They become part of file names, so they have no meaning in a path or a shell. */
  id: json.matching(
    /^[a-z0-9][a-z0-9-]{0,79}$/,
    "the id of a job contains characters other than a-z, 0-9 and -",
  ),
  kind: json.oneOf(JOB_KINDS),
  /** The pool of machines for it, a name in the matrix of a workflow; absent for the workflow's own runner. */
  pool: json.optional(
    json.matching(
      POOL_NAME,
      "the pool of a job contains characters other than a-z, 0-9 and -",
    ),
  ),
  /** The sum of its units' durations, without the set-up. */
  expectedMs: json.number,
  units: json.list(unit),
});

/** A unit that doesn't run, because a trusted run attested it under the same fingerprint, or with the same observations. */
export type Reused = json.TypeOf<typeof reused>;
const reused = json.checked(
  json.object({
    ...ATTESTED,
    /** `package#script`. */
    whole: json.text,
    /** Present unless a trace attests it. */
    fingerprint: json.optional(json.text),
    /** Its expected duration in milliseconds. Absent in plans of versions that did not compute it. */
    expectedMs: json.optional(json.whole),
  }),
  ({ by, fingerprint }) =>
    by === undefined && fingerprint === undefined
      ? "a reused unit has no fingerprint"
      : undefined,
);

/** How much an earlier push of a pull request reused, according to its verdict. */
export type EarlierPush = json.TypeOf<typeof earlierPush>;
const earlierPush = json.object({
  /** The id of the workflow run. */
  run: json.text,
  /** The pushed commit. */
  commit: json.text,
  /** The time of its verdict: ISO 8601, UTC. */
  at: json.text,
  /** The number of selected units. */
  units: json.whole,
  reused: json.whole,
  /** The expected duration of the reused units in milliseconds. */
  reusedMs: json.whole,
});

/** A script of an affected package that doesn't run. */
export type PlannedSkip = json.TypeOf<typeof skip>;
export const skip = json.object({
  workspace: json.text,
  script: json.text,
  why: json.oneOf(["no-script", "root"]),
});

/** The earlier runs, as a plan and its verdict contain them. */
export const EARLIER_RUNS = {
  /** Units that passed before under the same fingerprint, and so don't run; absent without any. */
  reused: json.optional(json.list(reused)),
  /** The run that judged the same tree green, if all units of packages are reused from it; otherwise absent. */
  sameTree: json.optional(attested),
  /** The earlier pushes of the same pull request that were judged, oldest first; absent without any. */
  earlier: json.optional(json.list(earlierPush)),
  /** A hash of the tested tree, and of the runtime of its scripts; absent if fingerprints are unknown. */
  tree: json.optional(json.text),
};

/** The workload of jobs. */
export const workload: json.Reader<Workload> = json.object({
  jobs: json.whole,
  units: json.whole,
  machineMs: json.whole,
});

/** The reason why the plan isn't shorter. */
export type BoundBy = json.TypeOf<typeof boundBy>;
const boundBy = json.union({
  nothing: {},
  application: { unit: json.text },
  "largest-unit": { unit: json.text },
  machines: { jobs: json.number },
});

/** The predicted durations in milliseconds, without set-up unless stated otherwise. */
export type Prediction = json.TypeOf<typeof prediction>;
const prediction = json.object({
  /** The duration of the longest job, including its set-up. */
  wallMs: json.number,
  setupMs: json.number,
  /** The sum of all units. */
  totalMs: json.number,
  /** The duration of the longest job with packages. */
  makespanMs: json.number,
  /** max(largest unit, total / jobs), over the jobs with packages. */
  lowerBoundMs: json.number,
  /** makespanMs / lowerBoundMs; 1 if there is nothing to pack. */
  ratio: json.number,
  /** The minutes that GitHub bills: each job's duration, rounded up to whole minutes. */
  billedMinutes: json.number,
  boundBy,
});

/** The units that one run records under trace, besides its jobs. */
export type PlannedTraces = json.TypeOf<typeof traces>;
const traces = json.object({
  script: json.text,
  /** Names of packages. */
  packages: json.list(json.text),
  /** How long they may take together, in seconds. */
  budgetSeconds: json.number,
  /** A hash of the workflow's inputs and of what scripts run on. */
  environment: json.text,
  /** The environment in which scripts run: the planner's Node, platform and runner image. */
  runtime: json.text,
});

/** A plan: which units run in which job. It is exchanged as a JSON file. Its golden file is the contract test. */
export type Plan = json.TypeOf<typeof PLAN>;
/** Reads the members of a plan. `parsePlan` also checks that they match each other. */
export const PLAN = json.object({
  version: json.version(1),
  /** A hash of all other members (`plan-id.ts`). Readers of the plan compute it again. */
  id: json.text,
  /** A hash of all inputs of the plan. The same inputs result in the same id and the same jobs. */
  inputs: json.text,
  /** The commit that the change was compared with; null without one. */
  base: json.orNull(json.text),
  head: json.orNull(json.text),
  jobs: json.list(job),
  ...EARLIER_RUNS,
  /** The runtime for which the fingerprints of its units are valid: the planner's Node, platform and runner image. */
  runtime: json.optional(json.text),
  /** Affected scripts that don't run, each with its reason. Nothing else may be skipped. */
  skipped: json.list(skip),
  /** How often a failed unit is retried on its machine. */
  retries: json.number,
  prediction,
  /** The workload of running everything, with the same durations; absent in plans of older versions. */
  everything: json.optional(workload),
  /** Descriptions of how the change alters what is tested; absent if it doesn't. */
  alters: json.optional(json.list(json.text)),
  /** The units whose traces this run records; absent for none. */
  traces: json.optional(traces),
  /** Descriptions of what the planner could not determine. */
  notes: json.list(json.text),
});

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
