import type { Fact, Instant } from "./fact.js";
import type { OwnEvent } from "./own-event.js";

export type { Instant } from "./fact.js";

/** A pull request was opened. */
export interface PullOpened extends Fact<"pull-opened"> {
  readonly pull: number;
  readonly author: string;
  /** Whether the author is a program. */
  readonly bot: boolean;
  /** The head branch, without `refs/heads/`. */
  readonly branch: string;
  /** The base branch. */
  readonly base: string;
  /** Whether it was opened as a draft. */
  readonly draft: boolean;
  /** Whether the head branch is in another repository. */
  readonly fork: boolean;
  /** A single line; null if it was not stored. */
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
 * A commit of a pull request reached the server with a push. It may be before the pull request was opened, if
 * repository activity contains that push. The commit's own date is never used, because it is from its author's clock.
 */
export interface PullPushed extends Fact<"pull-pushed"> {
  readonly pull: number;
  readonly sha: string;
  readonly forced: boolean;
}

/**
 * A user pushed a commit to a branch of the repository itself. The source is repository activity, which contains no
 * pull requests. `linkEvents` finds the pull request, even one that was opened later.
 */
export interface BranchPushed extends Fact<"branch-pushed"> {
  /** The name, without `refs/heads/`. */
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

/** The results of a review. */
export const REVIEW_STATES = [
  "approved",
  "changes-requested",
  "commented",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** A review was dismissed. The review's own event still has the state with which it was submitted. */
export interface PullReviewDismissed extends Fact<"pull-review-dismissed"> {
  readonly pull: number;
  readonly review: number;
}

/** A pull request was closed without a merge. */
export interface PullClosed extends Fact<"pull-closed"> {
  readonly pull: number;
}

export interface PullReopened extends Fact<"pull-reopened"> {
  readonly pull: number;
}

/** A pull request was merged, by any method. */
export interface PullMerged extends Fact<"pull-merged"> {
  readonly pull: number;
  /** The commit on the base branch: a merge, a squash, or the last commit of a rebase. */
  readonly sha: string;
  /** The head of the pull request when it was merged. */
  readonly head: string;
  readonly base: string;
  readonly method: MergeMethod;
}

/** The ways in which a pull request is merged. */
export const MERGE_METHODS = [
  "merge",
  "squash",
  "rebase",
  "queue",
  "unknown",
] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** A pull request was reverted. The time is that of the reverting pull request's merge. */
export interface PullReverted extends Fact<"pull-reverted"> {
  readonly pull: number;
  /** The reverting pull request. */
  readonly by: number;
}

export interface QueueEntered extends Fact<"queue-entered"> {
  readonly pull: number;
}

/** A pull request left the merge queue, merged or not. */
export interface QueueLeft extends Fact<"queue-left"> {
  readonly pull: number;
  /** GitHub's reason; null if there is none. */
  readonly reason: string | null;
}

/** An attempt of a workflow run started; `at` is GitHub's `run_started_at`. */
export interface RunStarted extends Fact<"run-started"> {
  readonly run: number;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The workflow's name. */
  readonly workflow: string;
  /** The workflow file, `.github/workflows/ci.yml`; null if GitHub doesn't report it. */
  readonly path: string | null;
  /** The event that triggered the run: `pull_request`, `push`, `merge_group`, `schedule`, … */
  readonly event: string;
  readonly branch: string | null;
  readonly sha: string;
  /** The pull requests that GitHub reports; none for forks and merge queues. */
  readonly pulls: readonly number[];
  /** The creation of the run, which is the start of its first attempt. */
  readonly created: Instant;
}

/**
 * An attempt ended. `at` is the end of the last job that this attempt ran (`runEnd`), never GitHub's `updated_at`. A
 * run in progress has no such event.
 */
export interface RunCompleted extends Fact<"run-completed"> {
  readonly run: number;
  readonly attempt: number;
  /** The start of the attempt, as in `run-started`. */
  readonly started: Instant;
  readonly conclusion: Conclusion;
  /** All jobs that GitHub lists for the attempt, including those inherited from earlier attempts. */
  readonly jobs: readonly Job[];
}

/** A job of one attempt of a run. */
export interface Job {
  readonly name: string;
  /** The time at which it was requested; null if GitHub doesn't report it. */
  readonly created: Instant | null;
  /** The time at which a runner started it; null if none did. */
  readonly started: Instant | null;
  readonly completed: Instant | null;
  readonly conclusion: Conclusion;
}

/** GitHub's conclusions in lower case; `unknown` for any that it adds later. */
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

/** A publication reached its users; `at` is the time of its availability. */
export interface Published extends Fact<"published"> {
  readonly channel: PublishChannel;
  /** The key within its channel: a release's tag, a deployment's number, a run's number, `name@version`. */
  readonly key: string;
  /** The published commit; null if it is unknown. */
  readonly sha: string | null;
  /** The deployment environment; null for none. */
  readonly environment: string | null;
  /** The start of publishing; null if it is unknown. */
  readonly started: Instant | null;
  /** The published packages; null for all of them. */
  readonly packages: readonly PublishedPackage[] | null;
  /**
   * The pull requests that it contains, if they were determined (`base...head`). Null if not: then it covers everything
   * that was merged to the commit's branch up to that commit.
   */
  readonly pulls: readonly number[] | null;
}

export interface PublishedPackage {
  readonly name: string;
  readonly version: string | null;
}

/** The ways in which a version is published. */
export const PUBLISH_CHANNELS = [
  "release",
  "deployment",
  "tag",
  "workflow",
  "npm",
] as const;
export type PublishChannel = (typeof PUBLISH_CHANNELS)[number];

/** The packages with files that a pull request changes, and their owners. */
export interface PullAttributed extends Fact<"pull-attributed"> {
  readonly pull: number;
  readonly packages: readonly string[];
  /** The owners as written in CODEOWNERS: `@acme/web`. */
  readonly owners: readonly string[];
}

/**
 * A pull request upgrades dependencies to versions that other repositories published, such as the automated upgrades
 * between multiple repositories.
 */
export interface PullUpgrades extends Fact<"pull-upgrades"> {
  readonly pull: number;
  readonly upgrades: readonly PublishedPackage[];
}

/** An event that readers look for in a chart. */
export interface Annotated extends Fact<"annotated"> {
  readonly what: AnnotationKind;
  /** The key: a commit, a pull request, a word. */
  readonly key: string;
  /** A single line. */
  readonly text: string;
}

/** The kinds of annotations. */
export const ANNOTATION_KINDS = ["migration", "configuration", "note"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** A delivery event. Kinds may be added, but the meaning of a kind never changes. */
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
  | OwnEvent
  | Annotated;

export type EventKind = DeliveryEvent["kind"];
export type EventOf<Kind extends EventKind> = Extract<
  DeliveryEvent,
  { readonly kind: Kind }
>;
