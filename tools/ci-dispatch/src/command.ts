import type { PipelineEngine } from "./pipeline/pipeline.js";
import type { Layout } from "./verdict/layout.js";
import type { MetricsAction } from "./metrics/action.js";

/** The options for the change, which are passed to `affected` unchanged. */
export interface ChangeOptions {
  /** Files with the result of `affected list --json`; empty to run it. */
  readonly affected: readonly string[];
  /** The options for running `affected list`. */
  readonly ask: readonly string[];
}

export interface PlanOverrides {
  readonly jobs: number | undefined;
  readonly target: number | undefined;
  readonly maxJobs: number | undefined;
  readonly setup: number | undefined;
  readonly onePackagePerJob: boolean | undefined;
  /** NDJSON of earlier runs, plain or gzip. */
  readonly history: readonly string[];
  /** Other factors that affect how units run. Units are reused only under the same value. */
  readonly environment?: string | undefined;
  /** The remote of the history branch; undefined to skip it. */
  readonly fetchHistory: string | undefined;
}

export interface PlanCommand {
  readonly kind: "plan";
  readonly change: ChangeOptions;
  readonly overrides: PlanOverrides;
  readonly output: string | undefined;
  /** The pools with machines, as JSON; undefined if unknown. */
  readonly pools?: string | undefined;
  /** The start of this job's first step, in milliseconds since 1970. */
  readonly began?: number | undefined;
  /** The file of an earlier attempt's plan, which is used unchanged if it exists. */
  readonly reuse: string | undefined;
  /** The folder of an index of references from a cache; undefined to keep the index in the clone. */
  readonly index?: string | undefined;
  readonly explain: string | undefined;
  readonly json: boolean;
  /** The prefix of the names of the workflow's artifacts. */
  readonly artifacts: string;
  /** False if the plan is for `launch`, so that GitHub's limit for jobs of a matrix doesn't apply. */
  readonly matrix: boolean;
  /** The pipeline of an engine other than GitHub Actions; undefined for none. */
  readonly pipeline: PipelineOptions | undefined;
}

/** The options of the pipeline that runs a plan. */
export interface PipelineOptions {
  readonly engine: PipelineEngine;
  /** The file to write. */
  readonly out: string;
  /** A shell command that prepares a checkout. */
  readonly before: string;
  /** The command with which the verdict job calls this program. */
  readonly tool: string;
  /** A JSON file with members for each job; undefined for none. */
  readonly jobSettings: string | undefined;
}

export interface ExecCommand {
  readonly kind: "exec";
  readonly job: string;
  readonly plan: string;
  readonly planId: string | undefined;
  /** The folder to write attestations to. */
  readonly attestations: string;
  readonly attempt: number | undefined;
  readonly machine: number;
  /** The start of the machine's first step, in milliseconds since 1970. */
  readonly setupBegan?: number | undefined;
  readonly concurrency: number;
  readonly output: "full" | "failed" | "none";
}

/** A plan and its jobs' attestations. */
interface Judging {
  readonly plan: string;
  /** The id that the planning job has passed on; undefined without one. */
  readonly planId: string | undefined;
  readonly attestations: string;
  /** Undefined if the environment determines it. */
  readonly layout: Layout["kind"] | undefined;
  /** The prefix of the names of the workflow's artifacts. */
  readonly name: string;
}

export interface VerdictCommand extends Judging {
  readonly kind: "verdict";
  readonly junit: string | undefined;
  readonly report: string | undefined;
  readonly summary: string | undefined;
  /** The folder for the merged coverage; undefined for none. */
  readonly coverage?: string | undefined;
  readonly json: boolean;
  /** The duration of the planning job until the plan was complete, in milliseconds. */
  readonly plannedMs?: number | undefined;
  /** The start of this job's first step, in milliseconds since 1970. */
  readonly began?: number | undefined;
}

export interface RetryCommand extends Judging {
  readonly kind: "retry";
  readonly attempt: number | undefined;
  readonly json: boolean;
}

export interface PublishCommand {
  readonly kind: "publish";
  readonly verdict: string;
  /** The name of the check. Each name has its own comment. */
  readonly name: string;
  /** The login that the token writes as. */
  readonly author: string;
  /** The plan whose prediction is shown; undefined for none. */
  readonly plan: string | undefined;
  /** The output of `metrics report --json`, whose P90 is shown; undefined for none. */
  readonly metrics: string | undefined;
}

/** The target of a new launch. `watch` uses the target in the state. */
export interface LaunchTarget {
  readonly workflow: string;
  readonly ref: string;
  /** `owner/name`; undefined for GITHUB_REPOSITORY. */
  readonly repository: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  /** How often a job gets another machine. */
  readonly retries: number;
}

export interface LaunchCommand {
  readonly kind: "launch";
  readonly plan: string;
  readonly state: string;
  /** The folder to write attestations to. */
  readonly attestations: string;
  readonly target: LaunchTarget | undefined;
  /** If false, all runs are requested and not awaited. */
  readonly watch: boolean;
  /** A branch. Everything is cancelled when it is no longer at the plan's commit. */
  readonly whileHead: string | undefined;
  readonly concurrency: number;
  /** The seconds between two polls. */
  readonly interval: number;
  /** The seconds after which a missing run is lost. */
  readonly lostAfter: number;
  /** The minutes after which everything is cancelled. */
  readonly timeout: number;
  /** The file of the verdict. */
  readonly report: string | undefined;
  /** Whether to print all events and the verdict as lines of JSON. */
  readonly json: boolean;
}

export interface RunCommand {
  readonly kind: "run";
  readonly change: ChangeOptions;
  readonly overrides: PlanOverrides;
  readonly workers: number | undefined;
  readonly directory: string | undefined;
}

/** An action on the history. */
export type HistoryAction =
  | { readonly kind: "show"; readonly unit: string | undefined }
  | {
      readonly kind: "append";
      readonly verdict: string;
      /** The prefix of the names of the workflow's artifacts. */
      readonly name: string;
      /** The digest of the index of references that the planning job has made; undefined for none. */
      readonly index: string | undefined;
      /** The file of new evidence, which may be missing; undefined for none. */
      readonly traces: string | undefined;
      /** Whether to skip the check that the run is one of the default branch. */
      readonly anywhere: boolean;
    }
  | { readonly kind: "import"; readonly files: readonly string[] }
  | {
      readonly kind: "prune";
      readonly days: number;
      /** Whether to include delivery metrics. */
      readonly metrics: boolean;
    };

export interface TraceCommand {
  readonly kind: "trace";
  readonly plan: string;
  readonly planId: string | undefined;
  /** The file for the evidence. */
  readonly output: string;
}

export interface HistoryCommand {
  readonly kind: "history";
  readonly remote: string;
  readonly branch: string;
  readonly action: HistoryAction;
}

export interface MetricsCommand {
  readonly kind: "metrics";
  readonly action: MetricsAction;
}

/** A parsed command line, independent of how the user typed it. */
export type Command =
  | PlanCommand
  | ExecCommand
  | VerdictCommand
  | RetryCommand
  | PublishCommand
  | LaunchCommand
  | RunCommand
  | TraceCommand
  | HistoryCommand
  | MetricsCommand;
