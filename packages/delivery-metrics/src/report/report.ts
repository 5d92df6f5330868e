import type { Change } from "../compare/change.js";
import type { Annotation } from "./figures.js";
import type { Coverage } from "./coverage.js";
import type { Distribution } from "./distribution.js";
import type { Dora } from "./dora.js";
import type { Group } from "./groups.js";
import type { Flakes, Infrastructure } from "./reliability.js";
import type { Reuse } from "./reuse.js";
import type { Savings } from "./savings.js";
import type { SeriesPoint } from "./series.js";
import type { Stage } from "./stages.js";
import type { Window } from "./windows.js";

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

/** An earlier window, compared with this one. */
export interface Baseline {
  readonly window: Window;
  /** The common end of both sides, which is the nearer one. */
  readonly until: Until;
  readonly changes: readonly Change[];
}
