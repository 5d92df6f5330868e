import type { PipelineEngine } from "./pipeline/pipeline.js";
import type { Layout } from "./verdict/layout.js";
import type { MetricsAction } from "./metrics/action.js";

/** Where the change comes from, handed on to `affected` as it is. */
export interface ChangeOptions {
  /** Files with the answer of `affected list --json`; empty to ask it. */
  readonly affected: readonly string[];
  /** Options for `affected list`, when it is asked. */
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
  /** What else decides how units run: they are reused under the same only. */
  readonly environment?: string | undefined;
  /** The remote whose history branch is read; undefined for none. */
  readonly fetchHistory: string | undefined;
}

export interface PlanCommand {
  readonly kind: "plan";
  readonly change: ChangeOptions;
  readonly overrides: PlanOverrides;
  readonly output: string | undefined;
  /** The pools that there are machines for, as JSON; undefined where nobody says. */
  readonly pools?: string | undefined;
  /** When this job's first step began, in milliseconds since 1970. */
  readonly began?: number | undefined;
  /** A plan of an earlier attempt, which is taken as it is where it is there. */
  readonly reuse: string | undefined;
  readonly explain: string | undefined;
  readonly json: boolean;
  /** What the names of the workflow's artifacts begin with. */
  readonly artifacts: string;
  /** False: the plan is for `launch`, so GitHub's cap on the legs of a matrix does not matter. */
  readonly matrix: boolean;
  /** The pipeline of another engine than GitHub Actions; undefined for none. */
  readonly pipeline: PipelineOptions | undefined;
}

/** How the pipeline that carries a plan out is written. */
export interface PipelineOptions {
  readonly engine: PipelineEngine;
  /** The file that is written. */
  readonly out: string;
  /** A line of shell that makes a checkout ready. */
  readonly before: string;
  /** How the job that judges calls this program. */
  readonly tool: string;
  /** A file with members for each job, as JSON; undefined for none. */
  readonly jobSettings: string | undefined;
}

export interface ExecCommand {
  readonly kind: "exec";
  readonly job: string;
  readonly plan: string;
  readonly planId: string | undefined;
  /** The folder that attestations are written to. */
  readonly attestations: string;
  readonly attempt: number | undefined;
  readonly machine: number;
  /** When the machine's first step began, in milliseconds since 1970. */
  readonly setupBegan?: number | undefined;
  readonly concurrency: number;
  readonly output: "full" | "failed" | "none";
}

/** A plan, and what its jobs attest. */
interface Judging {
  readonly plan: string;
  /** The id that the job that planned has handed on; undefined where nobody has. */
  readonly planId: string | undefined;
  readonly attestations: string;
  /** Undefined where the environment says it. */
  readonly layout: Layout["kind"] | undefined;
  /** What the names of the workflow's artifacts begin with. */
  readonly name: string;
}

export interface VerdictCommand extends Judging {
  readonly kind: "verdict";
  readonly junit: string | undefined;
  readonly report: string | undefined;
  readonly summary: string | undefined;
  readonly json: boolean;
  /** How long the planning job took until the plan was there; milliseconds. */
  readonly plannedMs?: number | undefined;
  /** When this job's first step began, in milliseconds since 1970. */
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
  /** What the check is called; the comment of another name is another one. */
  readonly name: string;
  /** Login under which the token writes. */
  readonly author: string;
  /** The plan, whose prediction is shown; undefined for none. */
  readonly plan: string | undefined;
  /** What `metrics report --json` wrote, whose P90 is shown; undefined for none. */
  readonly metrics: string | undefined;
}

/** What to start; `watch` goes on with what the state says. */
export interface LaunchTarget {
  readonly workflow: string;
  readonly ref: string;
  /** `owner/name`; undefined for GITHUB_REPOSITORY. */
  readonly repository: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  /** Times a job is given another machine. */
  readonly retries: number;
}

export interface LaunchCommand {
  readonly kind: "launch";
  readonly plan: string;
  readonly state: string;
  /** The folder that attestations are written to. */
  readonly attestations: string;
  readonly target: LaunchTarget | undefined;
  /** False: everything is asked for, and nothing awaited. */
  readonly watch: boolean;
  /** Everything is cancelled once this branch is not at the plan's commit any more. */
  readonly whileHead: string | undefined;
  readonly concurrency: number;
  /** Seconds between two looks. */
  readonly interval: number;
  /** Seconds after which a run that is not there is lost. */
  readonly lostAfter: number;
  /** Minutes after which everything is cancelled. */
  readonly timeout: number;
  /** The verdict's file. */
  readonly report: string | undefined;
  /** True: every event, and the verdict, as a line of JSON. */
  readonly json: boolean;
}

export interface RunCommand {
  readonly kind: "run";
  readonly change: ChangeOptions;
  readonly overrides: PlanOverrides;
  readonly workers: number | undefined;
  readonly directory: string | undefined;
}

/** What is to be done with the history. */
export type HistoryAction =
  | { readonly kind: "show"; readonly unit: string | undefined }
  | {
      readonly kind: "append";
      readonly verdict: string;
      /** Also where this is no push to the default branch. */
      readonly anywhere: boolean;
    }
  | { readonly kind: "import"; readonly files: readonly string[] }
  | {
      readonly kind: "prune";
      readonly days: number;
      /** Delivery metrics too. */
      readonly metrics: boolean;
    };

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

/** One parsed command line: what is to be done, and nothing of how it was typed. */
export type Command =
  | PlanCommand
  | ExecCommand
  | VerdictCommand
  | RetryCommand
  | PublishCommand
  | LaunchCommand
  | RunCommand
  | HistoryCommand
  | MetricsCommand;
