import type { Fact } from "./fact.js";

/** The events that plans and verdicts add themselves, even if the store is no longer synchronised. */
export type OwnEvent = JobsSelected | RunJudged | UnitsReused;

/** Returns whether plans and verdicts add the events of a kind themselves. */
export function isOwnKind(kind: string): kind is OwnEvent["kind"] {
  return OWN_KINDS.some((own) => own === kind);
}
const OWN_KINDS: readonly OwnEvent["kind"][] = [
  "jobs-selected",
  "run-judged",
  "units-reused",
];

/** The work that a plan of `ci-dispatch` saved, compared with running everything. */
export interface JobsSelected extends Fact<"jobs-selected"> {
  /** The plan's id. */
  readonly plan: string;
  readonly sha: string;
  readonly pull: number | null;
  readonly selected: Workload;
  /** The work if every package were affected. */
  readonly everything: Workload;
  /** The plan's prediction in milliseconds, including set-up. */
  readonly predictedMs: number;
}

export interface Workload {
  readonly jobs: number;
  /** The number of scripts of packages. */
  readonly units: number;
  /** The time of all machines together, in milliseconds. */
  readonly machineMs: number;
}

/** The result of a verdict of `ci-dispatch`. */
export interface RunJudged extends Fact<"run-judged"> {
  readonly plan: string;
  readonly sha: string;
  readonly pull: number | null;
  /** The number of units in the plan. */
  readonly units: number;
  /** Units that failed and then passed on the same tree. */
  readonly flaky: readonly string[];
  /** Units with an infrastructure failure instead of a test failure, whether they passed in the end or not. */
  readonly infrastructure: readonly string[];
  readonly failed: readonly string[];
  /** The median of its machines' set-up times in milliseconds; null if none was measured. */
  readonly setupMs: number | null;
}

/** The units that a run of `ci-dispatch` reused, because they had passed under the same fingerprint. */
export interface UnitsReused extends Fact<"units-reused"> {
  readonly run: number;
  readonly sha: string;
  /** Null for a push to the default branch, and for a group of its merge queue. */
  readonly pull: number | null;
  /** Whether it was for the first push of its pull request that was judged. */
  readonly first: boolean;
  /** Units that were selected: reused ones, and those that ran. */
  readonly units: number;
  readonly reused: number;
  /** The expected duration of the reused units, in milliseconds. */
  readonly reusedMs: number;
  /** Units that ran although they could have been reused by their fingerprints. */
  readonly checked: number;
  /** Of these, the ones that failed. */
  readonly falseHits: readonly string[];
  /** The fingerprints of the ones that failed. Events of earlier versions have none. */
  readonly falseHitFields: readonly FalseHitFields[];
  /** Units that ran although evidence would have left them out. Earlier versions counted them in `checked`. */
  readonly evidenceChecked: number;
  /** Of these, the ones that failed. Earlier versions listed them in `falseHits`. */
  readonly wrongEvidence: readonly string[];
}

/** A unit that failed under the fingerprint under which it had passed, and the fields of that fingerprint. */
export interface FalseHitFields {
  readonly unit: string;
  /** In the order of the fingerprint. */
  readonly fields: readonly FingerprintField[];
}

/** A field of a fingerprint. */
export interface FingerprintField {
  readonly name: string;
  /** The first 8 hexadecimal digits of its hash. */
  readonly hash: string;
}
