import type { EventKind } from "./event.js";
import {
  ANNOTATION_KINDS,
  CONCLUSIONS,
  MERGE_METHODS,
  PUBLISH_CHANNELS,
  REVIEW_STATES,
} from "./event.js";
import type { Field, ValueOf } from "./field.js";
import {
  flag,
  id,
  instant,
  knownListOf,
  listOf,
  nullable,
  oneOf,
  record,
  sha,
  text,
  whole,
} from "./field.js";

const published = record({ name: text, version: nullable(text) });
export type PublishedPackage = ValueOf<typeof published>;

const workload = record({
  jobs: whole,
  /** The number of scripts of packages. */
  units: whole,
  /** The time of all machines together, in milliseconds. */
  machineMs: whole,
});
export type Workload = ValueOf<typeof workload>;

/** A unit that failed under the fingerprint under which it had passed, and the fields of that fingerprint. */
export type FalseHitFields = ValueOf<typeof falseHit>;
const falseHit = record({
  unit: text,
  /** In the order of the fingerprint: the first 8 hexadecimal digits of each field's hash. */
  fields: listOf(record({ name: text, hash: text })),
});

/** A count that earlier versions didn't record: a zero is omitted, and blocks contain none. */
const laterCount: Field<number> = {
  ...whole,
  read: (wire) => (wire === undefined ? 0 : whole.read(wire)),
  write: (value) => value || undefined,
  open: () => () => 0,
};

/**
 * The fields of every kind, in the order in which they are written, without its kind, its time and its repository.
 * Kinds may be added, but the meaning of a kind never changes.
 */
export const EVENT_FIELDS = {
  /** A pull request was opened. */
  "pull-opened": {
    pull: id,
    author: text,
    /** Whether the author is a program. */
    bot: flag,
    /** The head branch, without `refs/heads/`. */
    branch: text,
    /** The base branch. */
    base: text,
    /** It was opened as a draft. */
    draft: flag,
    /** Whether the head branch is in another repository. */
    fork: flag,
    /** A single line; null if it was not stored. */
    title: nullable(text),
  },
  /** A draft became ready for review. */
  "pull-ready": { pull: id },
  /** It became a draft again. */
  "pull-draft": { pull: id },
  /**
   * A commit of a pull request reached the server with a push. It may be before the pull request was opened, if
   * repository activity contains that push. The commit's own date is never used, because it is from its author's clock.
   */
  "pull-pushed": { pull: id, sha, forced: flag },
  /**
   * A user pushed a commit to a branch of the repository itself. The source is repository activity, which contains no
   * pull requests. `linkEvents` finds the pull request, even one that was opened later.
   */
  "branch-pushed": {
    /** The name, without `refs/heads/`. */
    branch: text,
    sha,
    forced: flag,
  },
  /** A review was submitted. */
  "pull-reviewed": {
    pull: id,
    /** GitHub's number of the review. */
    review: id,
    reviewer: text,
    bot: flag,
    state: oneOf(REVIEW_STATES),
  },
  /** A review was dismissed. The review's own event still has the state with which it was submitted. */
  "pull-review-dismissed": { pull: id, review: id },
  /** A pull request was closed without a merge. */
  "pull-closed": { pull: id },
  "pull-reopened": { pull: id },
  /** A pull request was merged, by any method. */
  "pull-merged": {
    pull: id,
    /** The commit on the base branch: a merge, a squash, or the last commit of a rebase. */
    sha,
    /** The head of the pull request when it was merged. */
    head: sha,
    base: text,
    method: oneOf(MERGE_METHODS),
  },
  /** A pull request was reverted by another one. The time is that of the reverting pull request's merge. */
  "pull-reverted": { pull: id, by: id },
  "queue-entered": { pull: id },
  /** A pull request left the merge queue, merged or not. GitHub's reason is null if there is none. */
  "queue-left": { pull: id, reason: nullable(text) },
  /** An attempt of a workflow run started; `at` is GitHub's `run_started_at`. */
  "run-started": {
    run: id,
    /** The number of the attempt, from 1. */
    attempt: whole,
    /** The workflow's name. */
    workflow: text,
    /** The workflow file, `.github/workflows/ci.yml`; null if GitHub doesn't report it. */
    path: nullable(text),
    /** The event that triggered the run: `pull_request`, `push`, `merge_group`, `schedule`, … */
    event: text,
    branch: nullable(text),
    sha,
    /** The pull requests that GitHub reports; none for forks and merge queues. */
    pulls: listOf(id),
    /** The creation of the run, which is the start of its first attempt. */
    created: instant,
  },
  /**
   * An attempt ended. `at` is the end of the last job that this attempt ran (`runEnd`), never GitHub's `updated_at`. A
   * run in progress has no such event. Its jobs are stored in columns (`job-columns.ts`).
   */
  "run-completed": {
    run: id,
    attempt: whole,
    /** The start of the attempt, as in `run-started`. */
    started: instant,
    conclusion: oneOf(CONCLUSIONS),
  },
  /** A publication reached its users; `at` is the time of its availability. */
  published: {
    channel: oneOf(PUBLISH_CHANNELS),
    /** The key within its channel: a release's tag, a deployment's number, a run's number, `name@version`. */
    key: text,
    /** The published commit; null if it is unknown. */
    sha: nullable(sha),
    /** The deployment environment; null for none. */
    environment: nullable(text),
    /** The start of publishing; null if it is unknown. */
    started: nullable(instant),
    /** The published packages; null for all of them. */
    packages: knownListOf(published),
    /**
     * The pull requests that it contains, if they were determined (`base...head`). Null if not: then it covers
     * everything that was merged to the commit's branch up to that commit.
     */
    pulls: knownListOf(id),
  },
  /** The packages with files that a pull request changes, and their owners. */
  "pull-attributed": {
    pull: id,
    packages: listOf(text),
    /** The owners as written in CODEOWNERS: `@acme/web`. */
    owners: listOf(text),
  },
  /**
   * A pull request upgrades dependencies to versions that other repositories published, such as the automated upgrades
   * between multiple repositories.
   */
  "pull-upgrades": { pull: id, upgrades: listOf(published) },
  /** The work that a plan of `ci-dispatch` saved, compared with running everything. */
  "jobs-selected": {
    /** The plan's id. */
    plan: text,
    sha,
    pull: nullable(id),
    selected: workload,
    /** The work if every package were affected. */
    everything: workload,
    /** The plan's prediction in milliseconds, including set-up. */
    predictedMs: whole,
  },
  /** The result of a verdict of `ci-dispatch`. */
  "run-judged": {
    plan: text,
    sha,
    pull: nullable(id),
    /** The number of units in the plan. */
    units: whole,
    /** Units that failed and then passed on the same tree. */
    flaky: listOf(text),
    /** Units with an infrastructure failure instead of a test failure, whether they passed in the end or not. */
    infrastructure: listOf(text),
    failed: listOf(text),
    /** The median of its machines' set-up times in milliseconds; null if none was measured, and in older blocks. */
    setupMs: { ...nullable(whole), open: () => () => null },
  },
  /** The units that a run of `ci-dispatch` reused, because they had passed under the same fingerprint. */
  "units-reused": {
    run: id,
    sha,
    /** Null for a push to the default branch, and for a group of its merge queue. */
    pull: nullable(id),
    /** The run is for the first push of its pull request that was judged. */
    first: flag,
    /** Units that were selected: reused ones, and those that ran. */
    units: whole,
    reused: whole,
    /** The expected duration of the reused units, in milliseconds. */
    reusedMs: whole,
    /** Units that ran although they could have been reused by their fingerprints. */
    checked: whole,
    /** Of these, the ones that failed. */
    falseHits: listOf(text),
    /** The fingerprints of the ones that failed. Events of earlier versions have none, and blocks neither. */
    falseHitFields: { ...listOf(falseHit), open: () => () => [] },
    /** Units that ran although evidence would have left them out. Earlier versions counted them in `checked`. */
    evidenceChecked: laterCount,
    /** Of these, the ones that failed. Earlier versions listed them in `falseHits`. */
    wrongEvidence: { ...listOf(text), open: () => () => [] },
  },
  /** An event that readers look for in a chart. */
  annotated: {
    what: oneOf(ANNOTATION_KINDS),
    /** The key: a commit, a pull request, a word. */
    key: text,
    /** A single line. */
    text,
  },
};

/** All kinds of events, in the order of `EVENT_FIELDS`. */
export const EVENT_KINDS = Object.keys(EVENT_FIELDS) as readonly EventKind[];

/** Returns the codec of a kind's own fields, without its types, which the table above has checked. */
export function ownFields(kind: EventKind): Field<object> {
  return RECORDS[kind];
}

const RECORDS = Object.fromEntries(
  Object.entries(EVENT_FIELDS).map(([kind, fields]) => [kind, record(fields)]),
) as unknown as Readonly<Record<EventKind, Field<object>>>;
