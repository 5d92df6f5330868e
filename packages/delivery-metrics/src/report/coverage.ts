import type { Instant } from "../events/event.js";
import { countsAt, type Missing } from "./lay-out.js";
import type { Measured } from "./measured.js";
import type { Coverage, PullRef, Unread } from "./report.js";

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
