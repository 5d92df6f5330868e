/**
 * The delivery of a repository: pull requests, runs and publications with their whole past, which a git repository
 * doesn't contain. A test adds it once, and the server shows it as it was at the repository's `clock`, without later
 * events. All times are milliseconds since 1970.
 */
export interface FakeDelivery {
  clock: number;
  readonly pulls: RecordedPull[];
  readonly pushes: RecordedPush[];
  /** The commits of the default branch. */
  readonly commits: RecordedCommit[];
  readonly runs: RecordedRun[];
  readonly releases: RecordedRelease[];
  readonly tags: RecordedTag[];
  readonly deployments: RecordedDeployment[];
}

export interface RecordedPull {
  readonly number: number;
  readonly title?: string;
  /** A bot's login ends in `[bot]`; null if the account was deleted. */
  readonly author?: string | null;
  readonly branch: string;
  /** Whether the head is in another repository. */
  readonly fork?: boolean;
  readonly openedAt: number;
  /** Whether it was opened as a draft. */
  readonly draft?: boolean;
  readonly head: string;
  readonly files?: readonly string[];
  readonly body?: string;
  /** Its commits, oldest first. A merge commit has `merges`. */
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

/** An event of a pull request, with GitHub's own name. */
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
      /** The id of the review. */
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
  /** A program's name ends in `[bot]`. */
  readonly author?: string;
  readonly files: readonly string[];
  /** The pull request that added it. */
  readonly pull?: number;
}

export interface RecordedRun {
  readonly id: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly event: string;
  readonly branch: string;
  readonly sha: string;
  /** The first starts with the run. */
  readonly attempts: readonly RecordedAttempt[];
  /** Whether it was deleted. Lists still contain it for a while; all other requests don't find it. */
  deleted?: boolean;
}

export interface RecordedAttempt {
  readonly startedAt: number;
  readonly conclusion: string;
  /** All jobs that GitHub lists for it, including inherited ones. */
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

/** Returns a repository's past without any event. */
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

/** Returns the end of an attempt, which is the end of its last job. */
export function attemptEnd({ jobs, startedAt }: RecordedAttempt): number {
  return Math.max(startedAt, ...jobs.map(({ completedAt }) => completedAt));
}

/** Returns a time in ISO 8601 as GitHub writes it, without milliseconds. @param ms since 1970 */
export function iso(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
