/** Milliseconds since 1970, so no time zone and no summer time is ever in it. On the wire: ISO 8601, UTC. */
export type Instant = number;

/** The fields of every event. Its stable id is `eventId`: the same fact, however often it is read, has the same id. */
interface Fact<Kind extends string> {
  readonly kind: Kind;
  /** When it happened. */
  readonly at: Instant;
  /** `owner/name`. */
  readonly repository: string;
}

/** A pull request came to be. */
export interface PullOpened extends Fact<"pull-opened"> {
  readonly pull: number;
  readonly author: string;
  /** The author is a program. */
  readonly bot: boolean;
  /** Head branch, without `refs/heads/`. */
  readonly branch: string;
  /** Base branch. */
  readonly base: string;
  /** It was a draft when it was opened. */
  readonly draft: boolean;
  /** The head branch is in another repository. */
  readonly fork: boolean;
  /** Of one line; null where it was not kept. */
  readonly title: string | null;
}

/** A draft became ready for review. */
export interface PullReady extends Fact<"pull-ready"> {
  readonly pull: number;
}

/** It became a draft again. */
export interface PullDraft extends Fact<"pull-draft"> {
  readonly pull: number;
}

/**
 * A commit of a pull request reached the server: at its first push, before the pull request was opened where that is known
 * (repository activity), or by a later one. Never the commit's own date, which is its author's clock.
 */
export interface PullPushed extends Fact<"pull-pushed"> {
  readonly pull: number;
  readonly sha: string;
  readonly forced: boolean;
}

/**
 * A commit became the head of a branch of the repository itself, by somebody's push: repository activity, which knows
 * no pull
 * requests. Whose it is, `linkEvents` finds, also for a pull request that was opened later.
 */
export interface BranchPushed extends Fact<"branch-pushed"> {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly sha: string;
  readonly forced: boolean;
}

/** A review was submitted. */
export interface PullReviewed extends Fact<"pull-reviewed"> {
  readonly pull: number;
  /** GitHub's number of the review. */
  readonly review: number;
  readonly reviewer: string;
  readonly bot: boolean;
  readonly state: ReviewState;
}

export const REVIEW_STATES = [
  "approved",
  "changes-requested",
  "commented",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** A review no longer counts. The review's own event keeps the state it was submitted with. */
export interface PullReviewDismissed extends Fact<"pull-review-dismissed"> {
  readonly pull: number;
  readonly review: number;
}

/** Closed without a merge. */
export interface PullClosed extends Fact<"pull-closed"> {
  readonly pull: number;
}

export interface PullReopened extends Fact<"pull-reopened"> {
  readonly pull: number;
}

/** Merged, in whatever way. */
export interface PullMerged extends Fact<"pull-merged"> {
  readonly pull: number;
  /** The commit on the base branch: a merge, a squash, or the last one of a rebase. */
  readonly sha: string;
  /** Head of the pull request when it was merged. */
  readonly head: string;
  readonly base: string;
  readonly method: MergeMethod;
}

export const MERGE_METHODS = [
  "merge",
  "squash",
  "rebase",
  "queue",
  "unknown",
] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** A pull request was reverted, when the pull request that reverts it was merged. */
export interface PullReverted extends Fact<"pull-reverted"> {
  readonly pull: number;
  /** The pull request that reverts. */
  readonly by: number;
}

export interface QueueEntered extends Fact<"queue-entered"> {
  readonly pull: number;
}

/** It left the merge queue, merged or not. */
export interface QueueLeft extends Fact<"queue-left"> {
  readonly pull: number;
  /** GitHub's word; null where it tells none. */
  readonly reason: string | null;
}

/** An attempt of a workflow run began; `at` is GitHub's `run_started_at`. */
export interface RunStarted extends Fact<"run-started"> {
  readonly run: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** The workflow's name. */
  readonly workflow: string;
  /** Its file, `.github/workflows/ci.yml`; null where GitHub does not tell. */
  readonly path: string | null;
  /** The event that triggered it: `pull_request`, `push`, `merge_group`, `schedule`, … */
  readonly event: string;
  readonly branch: string | null;
  readonly sha: string;
  /** Pull requests that GitHub names; for forks and merge queues none. */
  readonly pulls: readonly number[];
  /** When the run was created: with its first attempt. */
  readonly created: Instant;
}

/**
 * The attempt ended. `at` is the last end of a job that this attempt ran (`runEnd`), never GitHub's `updated_at`. A run
 * that is
 * still going has no such event.
 */
export interface RunCompleted extends Fact<"run-completed"> {
  readonly run: number;
  readonly attempt: number;
  /** When the attempt began, as in `run-started`. */
  readonly started: Instant;
  readonly conclusion: Conclusion;
  /** Every job that GitHub lists for the attempt, those inherited from earlier ones too. */
  readonly jobs: readonly Job[];
}

/** A job of one attempt of a run. */
export interface Job {
  readonly name: string;
  /** When it was asked for; null where GitHub does not tell. */
  readonly created: Instant | null;
  /** When a machine took it; null where none did. */
  readonly started: Instant | null;
  readonly completed: Instant | null;
  readonly conclusion: Conclusion;
}

/** GitHub's words, in small letters; `unknown` for those that it invents later. */
export const CONCLUSIONS = [
  "success",
  "failure",
  "cancelled",
  "skipped",
  "timed_out",
  "startup_failure",
  "neutral",
  "action_required",
  "stale",
  "unknown",
] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

/** Something reached its users: `at` is when it was there. */
export interface Published extends Fact<"published"> {
  readonly channel: PublishChannel;
  /** Known by this in its channel: a release's tag, a deployment's number, a run's number, `name@version`. */
  readonly key: string;
  /** The commit that was published; null where it is not told. */
  readonly sha: string | null;
  /** Deployment environment; null for none. */
  readonly environment: string | null;
  /** When publishing began; null where it is not told. */
  readonly started: Instant | null;
  /** The packages published; null for all of them. */
  readonly packages: readonly PublishedPackage[] | null;
  /**
   * Pull requests that it brings, where somebody has looked (`base...head`); null where nobody has: then it covers what
   * was merged to
   * the commit's branch up to that commit.
   */
  readonly pulls: readonly number[] | null;
}

export interface PublishedPackage {
  readonly name: string;
  readonly version: string | null;
}

export const PUBLISH_CHANNELS = [
  "release",
  "deployment",
  "tag",
  "workflow",
  "npm",
] as const;
export type PublishChannel = (typeof PUBLISH_CHANNELS)[number];

/** The packages in which a pull request changes a file, and their owners. */
export interface PullAttributed extends Fact<"pull-attributed"> {
  readonly pull: number;
  readonly packages: readonly string[];
  /** As CODEOWNERS writes them: `@acme/web`. */
  readonly owners: readonly string[];
}

/**
 * A pull request raises dependencies on packages that were published elsewhere: the automated upgrade of the multi-repo
 * past.
 */
export interface PullUpgrades extends Fact<"pull-upgrades"> {
  readonly pull: number;
  readonly upgrades: readonly PublishedPackage[];
}

/** The work that a plan of `ci-dispatch` saved, against running everything. */
export interface JobsSelected extends Fact<"jobs-selected"> {
  /** The plan's id. */
  readonly plan: string;
  readonly sha: string;
  readonly pull: number | null;
  readonly selected: Workload;
  /** The work with every package affected. */
  readonly everything: Workload;
  /** The plan's prediction, set-up included; milliseconds. */
  readonly predictedMs: number;
}

export interface Workload {
  readonly jobs: number;
  /** Scripts of packages. */
  readonly units: number;
  /** All machines together; milliseconds. */
  readonly machineMs: number;
}

/** The result of a verdict of `ci-dispatch`. */
export interface RunJudged extends Fact<"run-judged"> {
  readonly plan: string;
  readonly sha: string;
  readonly pull: number | null;
  /** Units of the plan. */
  readonly units: number;
  /** Units that failed and then passed on the same tree. */
  readonly flaky: readonly string[];
  /** Units that a machine failed, not a test: class `infrastructure`, passed in the end or not. */
  readonly infrastructure: readonly string[];
  readonly failed: readonly string[];
}

/** Something people will look for in a chart. */
export interface Annotated extends Fact<"annotated"> {
  readonly what: AnnotationKind;
  /** Known by this: a commit, a pull request, a word. */
  readonly key: string;
  /** One line. */
  readonly text: string;
}

export const ANNOTATION_KINDS = ["migration", "configuration", "note"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** One thing that happened. The list only ever grows; what a kind means never changes. */
export type DeliveryEvent =
  | PullOpened
  | PullReady
  | PullDraft
  | PullPushed
  | BranchPushed
  | PullReviewed
  | PullReviewDismissed
  | PullClosed
  | PullReopened
  | PullMerged
  | PullReverted
  | QueueEntered
  | QueueLeft
  | RunStarted
  | RunCompleted
  | Published
  | PullAttributed
  | PullUpgrades
  | JobsSelected
  | RunJudged
  | Annotated;

export type EventKind = DeliveryEvent["kind"];
export type EventOf<Kind extends EventKind> = Extract<
  DeliveryEvent,
  { readonly kind: Kind }
>;
