import type { FakeDelivery } from "./delivery.js";

/** A pull request. What it changes is asked of git each time, so it moves when its head does. */
export interface FakePull {
  readonly number: number;
  readonly title: string;
  /** Login. */
  readonly author: string;
  state: "open" | "closed";
  baseRef: string;
  baseSha: string;
  headRef: string;
  headSha: string;
  /** `owner/name` of the head's repository; undefined once a fork is deleted. */
  headRepository: string | undefined;
  /** Says something else than git does, as GitHub may for a moment after a push. */
  changedFiles: number | undefined;
}

/** A workflow file. */
export interface FakeWorkflow {
  readonly id: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly name: string;
}

/** A run of a workflow, as its newest attempt left it. */
export interface FakeRun {
  readonly id: number;
  readonly workflowId: number;
  /** `.github/workflows/ci.yml` */
  readonly path: string;
  readonly name: string;
  readonly headBranch: string;
  readonly headSha: string;
  /** `owner/name`; a fork's for a pull request from a fork. */
  readonly headRepository: string;
  readonly event: string;
  /** Numbers of pull requests that GitHub links to it. */
  readonly pulls: readonly number[];
  readonly runNumber: number;
  /** Of a run that was dispatched. */
  inputs: Readonly<Record<string, string>>;
  /** What lists show: `run-name`. */
  title: string;
  /** Lists that do not hold it yet, or show the attempt before: GitHub's are late. */
  appearsAfter: number;
  runAttempt: number;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When the newest attempt started. */
  startedAt: string;
  updatedAt: string;
  /** How the attempts before the newest ended, the first attempt first. */
  readonly earlier: FakeAttempt[];
  /** Of all attempts. */
  readonly jobs: FakeJob[];
  readonly artifacts: FakeArtifact[];
}

/** An attempt of a run that has another one behind it. */
export type FakeAttempt = Pick<
  FakeRun,
  "runAttempt" | "status" | "conclusion" | "startedAt" | "updatedAt"
>;

/** A job of one attempt of a run. Times are ISO 8601. */
export interface FakeJob {
  readonly id: number;
  readonly name: string;
  /** 1-based: the attempt of the run. */
  readonly attempt: number;
  status: FakeRun["status"];
  conclusion: string | null;
  readonly createdAt: string;
  readonly startedAt: string;
  completedAt: string | null;
  /** Null as long as no machine has taken it. */
  runnerName: string | null;
}

/** What a run has kept. */
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
  /** Login. */
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
  /** Those of all requests. */
  readonly annotations: Record<string, unknown>[];
}

/** A repository: a real one on disk, and what GitHub knows beyond git. */
export interface FakeRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
  /** A folder where git runs. */
  readonly dir: string;
  readonly defaultBranch: string;
  readonly private: boolean;
  readonly fork: boolean;
  readonly pulls: FakePull[];
  readonly workflows: FakeWorkflow[];
  /** Oldest first. */
  readonly runs: FakeRun[];
  readonly dispatching: {
    /** Whether it knows `return_run_details`; older Enterprise Servers refuse it. */
    runDetails: boolean;
    /** Lists that do not hold a dispatched run yet, or a new attempt of one. */
    appearsAfter: number;
  };
  /** Oldest first. */
  readonly comments: FakeComment[];
  /** Oldest first. */
  readonly checkRuns: FakeCheckRun[];
  /** Commit statuses, oldest first. */
  readonly statuses: FakeStatus[];
  /** Its past, for those who measure it. */
  readonly delivery: FakeDelivery;
  /** Entries a recursive listing of a tree holds before it is cut; GitHub's own is 100,000. */
  treeCap: number;
}

/** What somebody has said of a commit. */
export interface FakeStatus {
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
}

/** The requests of an hour. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Seconds since 1970. */
  reset: number;
}

/** Everything the server knows. */
export interface State {
  readonly rateLimit: RateLimit;
  /** By lower-case `owner/name`: GitHub's names ignore case. */
  readonly repositories: Map<string, FakeRepository>;
  /** The server's own address with its base path, for links. */
  readonly url: string;
  nextId(): number;
}
