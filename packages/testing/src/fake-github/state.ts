import type { FakeDelivery } from "./delivery.js";

/** A pull request. Git computes its changes for each request, so they follow its head. */
export interface FakePull {
  readonly number: number;
  readonly title: string;
  /** The login. */
  readonly author: string;
  state: "open" | "closed";
  baseRef: string;
  baseSha: string;
  headRef: string;
  headSha: string;
  /** `owner/name` of the head's repository; undefined if the fork was deleted. */
  headRepository: string | undefined;
  /** A number of changed files that differs from git's, as GitHub may report for a moment after a push. */
  changedFiles: number | undefined;
  /** The commit of the base branch that brought it; undefined until it is merged. */
  mergedAs: string | undefined;
}

/** A workflow file. */
export interface FakeWorkflow {
  readonly id: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly name: string;
}

/** A run of a workflow, as of its newest attempt. */
export interface FakeRun {
  readonly id: number;
  readonly workflowId: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly name: string;
  readonly headBranch: string;
  readonly headSha: string;
  /** `owner/name`; the fork's for a pull request from a fork. */
  readonly headRepository: string;
  readonly event: string;
  /** Numbers of pull requests that GitHub links to it. */
  readonly pulls: readonly number[];
  readonly runNumber: number;
  /** The inputs of a dispatched run. */
  inputs: Readonly<Record<string, string>>;
  /** The title in lists: `run-name`. */
  title: string;
  /** The number of lists that don't contain it yet, or show the previous attempt. GitHub's lists lag behind. */
  appearsAfter: number;
  runAttempt: number;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The start of the newest attempt. */
  startedAt: string;
  updatedAt: string;
  /** The attempts before the newest, oldest first. */
  readonly earlier: FakeAttempt[];
  /** The jobs of all attempts. */
  readonly jobs: FakeJob[];
  readonly artifacts: FakeArtifact[];
}

/** An attempt of a run that a newer attempt follows. */
export type FakeAttempt = Pick<
  FakeRun,
  "runAttempt" | "status" | "conclusion" | "startedAt" | "updatedAt"
>;

/** A job of one attempt of a run. Times are ISO 8601. */
export interface FakeJob {
  readonly id: number;
  readonly name: string;
  /** The number of the attempt, 1-based. */
  readonly attempt: number;
  status: FakeRun["status"];
  conclusion: string | null;
  readonly createdAt: string;
  readonly startedAt: string;
  completedAt: string | null;
  /** Null until a runner has started it. */
  runnerName: string | null;
}

/** An artifact of a run. */
export interface FakeArtifact {
  readonly id: number;
  readonly name: string;
  /** A zip archive. */
  readonly archive: Uint8Array;
  expired: boolean;
  readonly createdAt: string;
}

/** A comment in the conversation of a pull request. */
export interface FakeComment {
  readonly id: number;
  /** The pull request's number. */
  readonly pull: number;
  /** The login. */
  readonly author: string;
  body: string;
}

/** A check of a commit. */
export interface FakeCheckRun {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  status: string;
  conclusion: string | null;
  title: string;
  summary: string;
  /** The annotations of all requests. */
  readonly annotations: Record<string, unknown>[];
}

/** A repository: a real one on disk, and GitHub's data about it. */
export interface FakeRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
  /** Its URL in the API. */
  readonly url: string;
  /** Its page on github.com. */
  readonly page: string;
  /** The folder of the git repository. */
  readonly dir: string;
  readonly defaultBranch: string;
  readonly private: boolean;
  readonly fork: boolean;
  readonly pulls: FakePull[];
  readonly workflows: FakeWorkflow[];
  /** Oldest first. */
  readonly runs: FakeRun[];
  readonly dispatching: {
    /** Whether it supports `return_run_details`. Older Enterprise Servers reject it. */
    runDetails: boolean;
    /** The number of lists that don't contain a dispatched run yet, or its new attempt. */
    appearsAfter: number;
  };
  /** Oldest first. */
  readonly comments: FakeComment[];
  /** Oldest first. */
  readonly checkRuns: FakeCheckRun[];
  /** Commit statuses, oldest first. */
  readonly statuses: FakeStatus[];
  /** Its past, for metrics. */
  readonly delivery: FakeDelivery;
  /** The maximum number of entries in a recursive listing of a tree. GitHub's is 100,000. */
  treeCap: number;
}

/** A commit status. */
export interface FakeStatus {
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
}

/** The hourly limit of requests. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Seconds since 1970. */
  reset: number;
}

/** The state of the server. */
export interface State {
  readonly rateLimit: RateLimit;
  /** By lower-case `owner/name`: GitHub's names ignore case. */
  readonly repositories: Map<string, FakeRepository>;
  /** The server's own URL with its base path, for links. */
  readonly url: string;
  nextId(): number;
}
