/**
 * How a repository was delivered from: pull requests, runs and publications with their whole past, which no git repository holds.
 * It is put there once, and seen as it was at the repository's `clock`: what had not happened by then is not there. All times are
 * milliseconds since 1970.
 */
export interface FakeDelivery {
  clock: number;
  readonly pulls: RecordedPull[];
  readonly pushes: RecordedPush[];
  /** Of the default branch. */
  readonly commits: RecordedCommit[];
  readonly runs: RecordedRun[];
  readonly releases: RecordedRelease[];
  readonly tags: RecordedTag[];
  readonly deployments: RecordedDeployment[];
}

export interface RecordedPull {
  readonly number: number;
  readonly title?: string;
  /** A bot's ends in `[bot]`; null where the account is gone. */
  readonly author?: string | null;
  readonly branch: string;
  /** The head is in another repository. */
  readonly fork?: boolean;
  readonly openedAt: number;
  /** It was opened as a draft. */
  readonly draft?: boolean;
  readonly head: string;
  readonly files?: readonly string[];
  readonly body?: string;
  /** Messages of its commits, the earliest first; a merge's has `merges`. */
  readonly commits?: readonly {
    readonly message: string;
    readonly merges?: boolean;
  }[];
  readonly timeline?: readonly RecordedItem[];
  readonly merge?: {
    readonly at: number;
    readonly sha: string;
    readonly parents?: number;
    readonly headline?: string;
  };
}

/** What happened to a pull request, by GitHub's own names. */
export type RecordedItem =
  | {
      readonly is:
        | "ReadyForReviewEvent"
        | "ConvertToDraftEvent"
        | "ClosedEvent"
        | "ReopenedEvent"
        | "AddedToMergeQueueEvent";
      readonly at: number;
    }
  | {
      readonly is: "RemovedFromMergeQueueEvent";
      readonly at: number;
      readonly reason: string;
    }
  | {
      readonly is: "HeadRefForcePushedEvent";
      readonly at: number;
      readonly after: string;
    }
  | {
      readonly is: "PullRequestReview";
      readonly at: number;
      readonly id: number;
      readonly author: string;
      readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
    }
  | {
      readonly is: "ReviewDismissedEvent";
      readonly at: number;
      /** Of the review. */
      readonly id: number;
    };

export interface RecordedPush {
  readonly at: number;
  readonly ref: string;
  readonly after: string;
  readonly type:
    | "push"
    | "force_push"
    | "branch_creation"
    | "branch_deletion"
    | "pr_merge"
    | "merge_queue_merge";
}

export interface RecordedCommit {
  readonly at: number;
  readonly sha: string;
  readonly message: string;
  readonly merges?: boolean;
  /** A program's ends in `[bot]`. */
  readonly author?: string;
  readonly files: readonly string[];
  /** The pull request that brought it. */
  readonly pull?: number;
}

export interface RecordedRun {
  readonly id: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly event: string;
  readonly branch: string;
  readonly sha: string;
  /** The first begins with the run. */
  readonly attempts: readonly RecordedAttempt[];
  /** Somebody has deleted it: lists still have it for a while, and nothing else knows it. */
  deleted?: boolean;
}

export interface RecordedAttempt {
  readonly startedAt: number;
  readonly conclusion: string;
  /** All that GitHub lists for it, inherited ones too. */
  readonly jobs: readonly RecordedJob[];
}

export interface RecordedJob {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly completedAt: number;
  readonly conclusion: string;
}

export interface RecordedRelease {
  readonly tag: string;
  readonly sha: string;
  readonly createdAt: number;
  /** Undefined for a draft. */
  readonly publishedAt?: number;
}

export interface RecordedTag {
  readonly name: string;
  readonly sha: string;
  readonly at: number;
  readonly annotated: boolean;
}

export interface RecordedDeployment {
  readonly id: number;
  readonly environment: string;
  readonly sha: string;
  readonly at: number;
  readonly statuses: readonly { readonly state: string; readonly at: number }[];
}

export function noDelivery(): FakeDelivery {
  return {
    clock: Infinity,
    pulls: [],
    pushes: [],
    commits: [],
    runs: [],
    releases: [],
    tags: [],
    deployments: [],
  };
}

/** When an attempt ends: its last job's end. */
export function attemptEnd({ jobs, startedAt }: RecordedAttempt): number {
  return Math.max(startedAt, ...jobs.map(({ completedAt }) => completedAt));
}

export function iso(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
