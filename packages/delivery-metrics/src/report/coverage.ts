import type { Instant } from "../events/event.js";
import { countsAt, type Missing } from "./lay-out.js";
import type { Measured } from "./measured.js";
import type { PullRef } from "./report.js";

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

const MOST_NAMED = 20;

/** Returns how many of a window's pull requests count, and why the others do not. */
export function coverageOf(
  list: readonly Measured[],
  excluded: readonly Missing[],
  {
    unread = { files: [], lines: 0 },
    unpublished,
  }: {
    readonly unread: Unread | undefined;
    readonly unpublished: readonly string[];
  },
): Coverage {
  const withBuilds = list.filter(({ hasBuilds }) => hasBuilds);
  const missing = [
    ...excluded,
    ...list
      .filter(({ hasBuilds }) => !hasBuilds)
      .map((each) => ({
        reason: "no-builds" as const,
        at: countsAt(each),
        ref: each.ref,
      })),
  ];
  const pushes = list.filter(({ beginsWith }) => beginsWith === "push");
  return {
    seen: list.length + excluded.length,
    measured: list.length,
    withBuilds: withBuilds.length,
    unfinished: byReason(
      list.flatMap(({ unfinished: reason, merged: at, ref }) =>
        reason ? [{ reason, at, ref }] : [],
      ),
    ),
    excluded: byReason(missing),
    beginsWith: {
      push: pushes.length,
      opened: list.length - pushes.length,
    },
    skewedSpans: list.reduce((sum, each) => sum + each.skewedSpans, 0),
    reverted: list.filter(({ revertedBy }) => revertedBy !== undefined).length,
    unpublished,
    unread,
  };
}

/** Returns the number of pull requests for each reason, the most frequent reason first, with the newest of them. */
function byReason<Reason extends string>(
  all: readonly {
    readonly reason: Reason;
    readonly at: Instant;
    readonly ref: PullRef;
  }[],
): readonly {
  readonly reason: Reason;
  readonly count: number;
  readonly pulls: readonly PullRef[];
}[] {
  const newestFirst = all.toSorted(
    (a, b) => b.at - a.at || b.ref.pull - a.ref.pull,
  );
  const pulls = new Map<Reason, PullRef[]>();
  for (const { reason, ref } of newestFirst) {
    const list = pulls.get(reason);
    if (list) list.push(ref);
    else pulls.set(reason, [ref]);
  }
  return [...pulls]
    .map(([reason, refs]) => ({
      reason,
      count: refs.length,
      pulls: refs.slice(0, MOST_NAMED),
    }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
