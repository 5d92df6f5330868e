import type { AnnotationKind } from "../events/event.js";
import type { FalseHitFields } from "../events/own-event.js";
import type { Stage } from "./stages.js";

/**
 * The report of a window. It is written as JSON (version 1, with a schema), so times are ISO 8601 in UTC here. All
 * durations are in milliseconds. docs/metrics.md has a sentence and a formula for each number.
 */
export interface DeliveryReport {
  readonly version: 1;
  /** Sorted by name. */
  readonly repositories: readonly string[];
  /** The window, including its start and excluding its end. */
  readonly window: Window;
  /**
   * The time of the newest event before the window's end that was read from GitHub or a registry; null if there is
   * none.
   */
  readonly newest: string | null;
  /** The event that ends the lead time. */
  readonly until: Until;
  /**
   * Whether the user chose that end. Otherwise it is the farthest that the events support, and may change with them.
   */
  readonly untilAsked: boolean;
  /** The filter; null for all. */
  readonly only: {
    readonly package: string | null;
    readonly team: string | null;
  };
  /** The number of values below which there are no percentiles. */
  readonly minimum: number;
  readonly coverage: Coverage;
  readonly measures: Readonly<Record<Measure, Distribution>>;
  readonly stages: Readonly<Record<Stage, Distribution>>;
  /**
   * The builds of each commit in a pull request: from the start of the first run to the end of the last first attempt.
   */
  readonly builds: Distribution;
  /** The measures by package, then by owner. Groups with the most pull requests come first. */
  readonly packages: readonly Group[];
  readonly owners: readonly Group[];
  /** One point for each day of the window, earliest first. */
  readonly series: readonly SeriesPoint[];
  readonly savings: Savings;
  /** Null if changes end with their merge. */
  readonly dora: Dora | null;
  readonly reuse: Reuse;
  readonly flakes: Flakes;
  readonly infrastructure: Infrastructure;
  /** The pull requests with the longest headline, longest first. */
  readonly slowest: readonly MeasuredPull[];
  readonly annotations: readonly Annotation[];
  /** Undefined if no earlier window was requested. */
  readonly baseline?: Baseline;
}

export interface Window {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** All values of `Until`, earliest first. */
export const UNTILS = ["merged", "published", "upgraded"] as const;
/**
 * The event that ends the lead time:
 * - `merged`: the merge, if no publications are known;
 * - `published`: the first publication that contains it;
 * - `upgraded`: the publication of the repository that upgrades to it as a dependency (multiple repositories).
 */
export type Until = (typeof UNTILS)[number];

/** All measures. */
export const MEASURES = ["headline", "gross", "machine"] as const;
/**
 * The measures:
 * - `gross`: the time from the first push to the end;
 * - `headline`: that time without human waiting;
 * - `machine`: the time during which a machine worked on it, or it waited for one.
 */
export type Measure = (typeof MEASURES)[number];

/** A reference to a pull request. */
export interface PullRef {
  readonly repository: string;
  readonly pull: number;
}

/** A percentile, which is the value of an actual pull request. */
export interface Percentile {
  readonly ms: number;
  /** Whether so many pull requests have not ended that the percentile is only known to be `ms` or more. */
  readonly atLeast: boolean;
  readonly pull: PullRef;
}

/** The percentiles of a distribution. */
export const PERCENTILES = [50, 75, 90, 95] as const;

export interface Distribution {
  /** The number of values. */
  readonly n: number;
  /** The number of values that have not ended. Each counts as at least its time so far. */
  readonly unfinished: number;
  /** Null if there are fewer values than the report's minimum. */
  readonly values: Percentiles | null;
}

export interface Percentiles {
  readonly p50: Percentile;
  readonly p75: Percentile;
  readonly p90: Percentile;
  readonly p95: Percentile;
  /** The 95 % interval of the P90, by bootstrap. Null if the P90 is only known to be at least some value. */
  readonly p90Interval: Interval | null;
}

export interface Interval {
  readonly low: number;
  /** Null if too few have ended for a bound. */
  readonly high: number | null;
}

/** The numbers of pull requests that count, and that do not. */
export interface Coverage {
  /** The number of pull requests that ended in the window, or were merged in it and have not ended. */
  readonly seen: number;
  /** The number of them that count in `gross`. */
  readonly measured: number;
  /**
   * The measured ones that have not ended, by reason, the most frequent first. They count as at least their time so
   * far.
   */
  readonly unfinished: readonly Unfinished[];
  /** The number of them that count in `headline` and `machine` too. */
  readonly withBuilds: number;
  /** The reasons why the others don't count, the most frequent first. */
  readonly excluded: readonly Exclusion[];
  /** The event with which the lead time of the measured ones starts. */
  readonly beginsWith: {
    readonly push: number;
    readonly opened: number;
  };
  /** The number of spans that ended before they started, because clocks differ. They count as zero. */
  readonly skewedSpans: number;
  /** The number of pull requests that were merged in the window and reverted after they were published. */
  readonly reverted: number;
  /** Repositories with merged pull requests but no known publication. */
  readonly unpublished: readonly string[];
  readonly unread: Unread;
}

/** Files and lines that could not be read, and so are missing from every number. */
export interface Unread {
  /** Files that are damaged, or end in the middle of a line. A day's file has the day in its name. */
  readonly files: readonly string[];
  /** The number of lines that aren't events, or are from a later version. */
  readonly lines: number;
}

/** All values of `UnfinishedReason`. */
export const UNFINISHED_REASONS = ["not-published", "not-upgraded"] as const;
/**
 * Why a pull request has not ended:
 * - `not-published`: it is merged, and no publication contains it yet;
 * - `not-upgraded`: no dependent with the upgrade is published yet.
 */
export type UnfinishedReason = (typeof UNFINISHED_REASONS)[number];

export interface Unfinished {
  readonly reason: UnfinishedReason;
  readonly count: number;
  /** The newest of them, at most 20. */
  readonly pulls: readonly PullRef[];
}

/** All values of `ExclusionReason`. */
export const EXCLUSION_REASONS = [
  "bot",
  "publishes-nothing",
  "reverted-before",
  "run-going",
  "no-beginning",
  "no-builds",
] as const;
/**
 * Why a pull request is excluded:
 * - `bot`: its author is a program;
 * - `publishes-nothing`: it changes only packages that are never published;
 * - `reverted-before`: it was reverted before it was published;
 * - `run-going`: a run of it has not ended;
 * - `no-beginning`: neither its opening nor a push is known;
 * - `no-builds`: no run of it is known; it counts only in `gross`.
 */
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

export interface Exclusion {
  readonly reason: ExclusionReason;
  readonly count: number;
  /** The newest of them, at most 20. */
  readonly pulls: readonly PullRef[];
}

export interface Group {
  readonly name: string;
  readonly headline: Distribution;
  readonly gross: Distribution;
}

/** The trailing window at the end of a day in UTC. */
export interface SeriesPoint {
  /** `2026-01-31` */
  readonly day: string;
  /** The number of pull requests that ended on that day. */
  readonly delivered: number;
  /** The number of pull requests in the window that ends with the day. */
  readonly n: number;
  /** The P90 of the headline; null if there are fewer values than the minimum. */
  readonly p90: number | null;
  /** Whether so many had not ended by then that the P90 is only known to be at least this. */
  readonly atLeast: boolean;
  /** Null if there is no P90, or only a bound of it. */
  readonly interval: Interval | null;
  /** The P90 of the pull requests that ended on that day only; null if there are fewer than the minimum. */
  readonly dayP90: number | null;
}

/** The work that affected selection saved, over the plans of the window, compared with running everything. */
export interface Savings {
  readonly plans: number;
  readonly jobs: Saved;
  readonly units: Saved;
  readonly machineMs: Saved;
}

export interface Saved {
  readonly everything: number;
  readonly selected: number;
  readonly saved: number;
}

/** DORA's keys besides the lead time for changes, which is the measure `gross`. */
export interface Dora {
  /** Publications that brought a measured pull request to its users. */
  readonly deployments: number;
  readonly deploymentsPerDay: number;
  /** The pull requests that were reverted after their publication, out of all published ones. */
  readonly failures: Rate;
  /** The time from the publication of a reverted pull request to the publication of its revert. */
  readonly recovery: Distribution;
}

/** The units that the runs of the window reused, because they had passed under the same fingerprint. */
export interface Reuse {
  readonly runs: number;
  /** Units that were reused. */
  readonly units: number;
  /** Their expected duration, in milliseconds. */
  readonly machineMs: number;
  /** The units that were reused, out of those that the pushes after a pull request's first one selected. */
  readonly laterPushes: Rate;
  /** The checked units that failed, out of all checked ones. */
  readonly falseHits: Rate;
  /** Names of units with a false hit, in order. */
  readonly falseHitUnits: readonly string[];
  /**
   * The fingerprints with a false hit, each once, sorted by unit. All their fields were the same when the unit passed
   * and when it failed.
   */
  readonly falseHitFields: readonly FalseHitFields[];
}

export interface Rate {
  readonly count: number;
  readonly of: number;
  /** A number from 0 to 1; null if `of` is 0. */
  readonly rate: number | null;
}

export interface Flakes {
  /**
   * Runs in which an attempt ended in `failure` before another ended in `success`, of all runs with an ended attempt.
   * An infrastructure failure isn't a failure here: `infrastructure` counts it.
   */
  readonly runs: Rate;
  /** The units of verdicts. */
  readonly units: Rate;
  /** Jobs and units, the most frequent flakes first, and of equal ones the higher rate first; at most 20. */
  readonly worst: readonly FlakyName[];
}

/** Infrastructure failures among the attempts that ended. */
export interface Infrastructure {
  /** The attempts of runs. */
  readonly attempts: Rate;
  /** The units of verdicts. */
  readonly units: Rate;
}

export interface FlakyName {
  readonly kind: "job" | "unit";
  /** `workflow / job`, or the unit's id. */
  readonly name: string;
  readonly flakes: number;
  /**
   * The number of runs in which the job ended, or of verdicts. Verdicts without the unit count too, because they don't
   * list all units.
   */
  readonly of: number;
  /** A number from 0 to 1: flakes / of. */
  readonly rate: number;
}

/** A pull request with its stages. */
export interface MeasuredPull extends PullRef {
  readonly title: string | null;
  readonly author: string;
  readonly began: string;
  readonly merged: string;
  /** The window's end if it has not ended. */
  readonly ended: string;
  /** Whether it has not ended. Then its numbers are those so far. */
  readonly unfinished: boolean;
  readonly gross: number;
  /** Null if no run of it is known. */
  readonly headline: number | null;
  readonly machine: number | null;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly packages: readonly string[];
}

export interface Annotation {
  readonly at: string;
  readonly repository: string;
  readonly what: AnnotationKind;
  readonly text: string;
}

/** An earlier window, compared with this one. */
export interface Baseline {
  readonly window: Window;
  /** The common end of both sides, which is the nearer one. */
  readonly until: Until;
  readonly changes: readonly Change[];
}

/** A P90 before and after. */
export interface Change {
  readonly of: Measure | Stage | "builds";
  readonly before: ComparedP90;
  readonly after: ComparedP90;
  /**
   * (after - before) / before, in percent: -94.6 means 94.6 % less. Null if a P90 is unknown or only bounded, or was 0.
   */
  readonly percent: number | null;
  /** The 95 % interval of `percent`, by bootstrap; null if it cannot be computed. */
  readonly interval: PercentInterval | null;
}

export interface PercentInterval {
  readonly low: number;
  readonly high: number;
}

export interface ComparedP90 {
  readonly n: number;
  /** Null if there were fewer values than the minimum. */
  readonly ms: number | null;
  /** Whether it is only known to be `ms` or more. */
  readonly atLeast: boolean;
}
