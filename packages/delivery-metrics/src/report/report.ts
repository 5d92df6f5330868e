import type { AnnotationKind } from "../events/event.js";

/**
 * The report of a window. It travels as JSON (version 1, with a schema), so times are ISO 8601 in UTC here; every span
 * is in milliseconds. docs/metrics.md has a sentence and a formula for each number.
 */
export interface DeliveryReport {
  readonly version: 1;
  /** In order of name. */
  readonly repositories: readonly string[];
  /** From, up to and not with to. */
  readonly window: Window;
  /**
   * When the newest event happened that is known at the window's end, and that was read from GitHub or a registry; null
   * where there
   * are none.
   */
  readonly newest: string | null;
  /** The event that ends a change's way. */
  readonly until: Until;
  /** Whether somebody asked for that end; else it is the farthest that the events know, and may change with them. */
  readonly untilAsked: boolean;
  /** Null for all. */
  readonly only: {
    readonly package: string | null;
    readonly team: string | null;
  };
  /** Fewer values than these have no percentiles. */
  readonly minimum: number;
  readonly coverage: Coverage;
  readonly measures: Readonly<Record<Measure, Distribution>>;
  readonly stages: Readonly<Record<Stage, Distribution>>;
  /** Of each commit's build in a pull request: from the first run asked for to the end of the last first attempt. */
  readonly builds: Distribution;
  /** By package, then by owner; the headline measure of each. Those with the most pull requests first. */
  readonly packages: readonly Group[];
  readonly owners: readonly Group[];
  /** One point for each day of the window, the earliest first. */
  readonly series: readonly SeriesPoint[];
  readonly savings: Savings;
  /** Null if changes end with their merge. */
  readonly dora: Dora | null;
  readonly flakes: Flakes;
  readonly infrastructure: Infrastructure;
  /** Those with the longest headline, the longest first. */
  readonly slowest: readonly MeasuredPull[];
  readonly annotations: readonly Annotation[];
  /** Undefined where no earlier window was asked for. */
  readonly baseline?: Baseline;
}

export interface Window {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

export const UNTILS = ["merged", "published", "upgraded"] as const;
/**
 * - `published`: the first publication that brings it;
 * - `merged`: where nothing is known of publications;
 * - `upgraded`: it is published in the repository that takes it as a dependency (several repositories).
 */
export type Until = (typeof UNTILS)[number];

export const MEASURES = ["headline", "gross", "machine"] as const;
/**
 * - `gross`: from the first push to the end;
 * - `headline`: without human waiting;
 * - `machine`: while a machine worked on it, or it waited for one.
 */
export type Measure = (typeof MEASURES)[number];

export const STAGES = [
  "draft",
  "review",
  "approved",
  "build",
  "queue",
  "retry",
  "merge-queue",
  "post-merge-build",
  "publish",
  "publish-wait",
  "upgrade",
] as const;
/** Every moment of a pull request's way is in exactly one stage, so its stages sum to its gross lead time. */
export type Stage = (typeof STAGES)[number];

/** The stages that are human waiting. */
export const HUMAN_STAGES = ["draft", "review", "approved"] as const;

/** A pull request that one can open. */
export interface PullRef {
  readonly repository: string;
  readonly pull: number;
}

/** A percentile: the value of a pull request that there is. */
export interface Percentile {
  readonly ms: number;
  /** So many pull requests have not ended that the percentile is only known to be `ms` or more. */
  readonly atLeast: boolean;
  readonly pull: PullRef;
}

export const PERCENTILES = [50, 75, 90, 95] as const;

export interface Distribution {
  /** How many values. */
  readonly n: number;
  /** Of them, those that have not ended: each is known to be at least what it is so far. */
  readonly unfinished: number;
  /** Null where there are fewer than the report's minimum. */
  readonly values: Percentiles | null;
}

export interface Percentiles {
  readonly p50: Percentile;
  readonly p75: Percentile;
  readonly p90: Percentile;
  readonly p95: Percentile;
  /** 95 %, of the P90: bootstrap. Null where the P90 is only known to be at least something. */
  readonly p90Interval: Interval | null;
}

export interface Interval {
  readonly low: number;
  /** Null where too few have ended to say. */
  readonly high: number | null;
}

/** Which pull requests count, and which do not. */
export interface Coverage {
  /** Pull requests that ended in the window, or were merged in it and have not ended. */
  readonly seen: number;
  /** Of them in `gross`. */
  readonly measured: number;
  /** Of those measured, which have not ended and count as at least their time so far, and why; the most frequent first. */
  readonly unfinished: readonly Unfinished[];
  /** Of them in `headline` and `machine` too. */
  readonly withBuilds: number;
  /** Why the others are not, the most frequent first. */
  readonly excluded: readonly Exclusion[];
  /** Where the way of those measured begins. */
  readonly beginsWith: {
    readonly push: number;
    readonly opened: number;
  };
  /** Spans that ended before they began, by clocks that differ: counted as nothing. */
  readonly skewedSpans: number;
  /** Merged in the window and taken back after they were published. */
  readonly reverted: number;
  /** Repositories with merged pull requests of which no publication is known. */
  readonly unpublished: readonly string[];
  readonly unread: Unread;
}

/** Files and lines that could not be read, and so are missing from every number. */
export interface Unread {
  /** Files that are broken, or end in the middle of a line; a day's has the day in its name. */
  readonly files: readonly string[];
  /** Lines that are no events, or of a later version. */
  readonly lines: number;
}

export const UNFINISHED_REASONS = ["not-published", "not-upgraded"] as const;
/**
 * - `not-published`: merged, and no publication brings it yet;
 * - `not-upgraded`: no dependent that has taken it is published yet.
 */
export type UnfinishedReason = (typeof UNFINISHED_REASONS)[number];

export interface Unfinished {
  readonly reason: UnfinishedReason;
  readonly count: number;
  /** The newest of them, at most 20. */
  readonly pulls: readonly PullRef[];
}

export const EXCLUSION_REASONS = [
  "bot",
  "publishes-nothing",
  "reverted-before",
  "run-going",
  "no-beginning",
  "no-builds",
] as const;
/**
 * - `bot`: its author is a program;
 * - `publishes-nothing`: only packages that are never published;
 * - `reverted-before`: taken back before it was published;
 * - `run-going`: a run of it has not ended;
 * - `no-beginning`: neither its opening nor a push is known;
 * - `no-builds`: no run of it is known; it counts in `gross` alone.
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

/** The trailing window at the end of a day, by UTC. */
export interface SeriesPoint {
  /** `2026-01-31` */
  readonly day: string;
  /** Pull requests that ended on that day. */
  readonly delivered: number;
  /** In the window that ends with the day. */
  readonly n: number;
  /** The headline; null where there are fewer than the minimum. */
  readonly p90: number | null;
  /** So many had not ended by then that the P90 is only known to be at least that. */
  readonly atLeast: boolean;
  /** Null where there is no P90, or only a bound of it. */
  readonly interval: Interval | null;
  /** Of the pull requests that ended on that day alone; null where there are fewer than the minimum. */
  readonly dayP90: number | null;
}

/** The work that affected selection saved, over the plans of the window, against running everything. */
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
  /** Pull requests that were reverted after their publication, of all published ones. */
  readonly failures: Rate;
  /** From the publication of a reverted pull request to the publication of its revert. */
  readonly recovery: Distribution;
}

export interface Rate {
  readonly count: number;
  readonly of: number;
  /** From 0 to 1; null of nothing. */
  readonly rate: number | null;
}

export interface Flakes {
  /**
   * Runs with an attempt that ended in `failure` before an attempt that ended in `success`, of all runs with an attempt
   * that ended. An
   * attempt that a machine failed is no failure here: `infrastructure` counts it.
   */
  readonly runs: Rate;
  /** Units of verdicts. */
  readonly units: Rate;
  /** Jobs and units, the one that flaked most often first, of equal ones the one with the higher rate; at most 20. */
  readonly worst: readonly FlakyName[];
}

/** Infrastructure failures among the attempts that ended. */
export interface Infrastructure {
  /** Attempts of runs. */
  readonly attempts: Rate;
  /** Units of verdicts. */
  readonly units: Rate;
}

export interface FlakyName {
  readonly kind: "job" | "unit";
  /** `workflow / job`, or the unit's id. */
  readonly name: string;
  readonly flakes: number;
  /**
   * Runs in which the job ended, or verdicts: those of which a unit was no part count too, since nothing tells them
   * apart.
   */
  readonly of: number;
  /** From 0 to 1: flakes / of. */
  readonly rate: number;
}

/** One pull request and where its time went. */
export interface MeasuredPull extends PullRef {
  readonly title: string | null;
  readonly author: string;
  readonly began: string;
  readonly merged: string;
  /** Of one that has not ended, the window's end. */
  readonly ended: string;
  /** It has not ended: its numbers are those so far. */
  readonly unfinished: boolean;
  readonly gross: number;
  /** Null where no run of it is known. */
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

/** An earlier window beside this one. */
export interface Baseline {
  readonly window: Window;
  /** The common end of both sides: the nearer one. */
  readonly until: Until;
  readonly changes: readonly Change[];
}

/** A P90 before and after. */
export interface Change {
  readonly of: Measure | Stage | "builds";
  readonly before: ComparedP90;
  readonly after: ComparedP90;
  /**
   * (after - before) / before, in percent: -94.6 is 94.6 % less. Null where a P90 is not known, or only bounded, or was
   * 0.
   */
  readonly percent: number | null;
  /** Bootstrap, 95 %, of `percent`; null where it cannot be known. */
  readonly interval: PercentInterval | null;
}

export interface PercentInterval {
  readonly low: number;
  readonly high: number;
}

export interface ComparedP90 {
  readonly n: number;
  /** Null where there were fewer than the minimum. */
  readonly ms: number | null;
  /** It is only known to be `ms` or more. */
  readonly atLeast: boolean;
}
