import type { Excluded } from "../timeline/timeline.js";
import type { Measured } from "./measured.js";
import type {
  Coverage,
  Exclusion,
  ExclusionReason,
  PullRef,
  Unread,
} from "./report.js";

const MOST_NAMED = 20;

/** Which of a window's pull requests count, and why the others do not. */
export function coverageOf(
  list: readonly Measured[],
  excluded: readonly Excluded[],
  unread: Unread = { files: [], lines: 0 },
): Coverage {
  const timelines = list.map(({ timeline }) => timeline);
  const withBuilds = timelines.filter(({ hasBuilds }) => hasBuilds);
  const missing = [
    ...excluded.map(({ reason, at, facts: { repository, pull } }) => ({
      reason,
      at,
      ref: { repository, pull },
    })),
    ...list
      .filter(({ timeline }) => !timeline.hasBuilds)
      .map(({ timeline, ref }) => ({
        reason: "no-builds" as const,
        at: timeline.ended,
        ref,
      })),
  ].sort((a, b) => b.at - a.at || b.ref.pull - a.ref.pull);
  const byReason = new Map<ExclusionReason, PullRef[]>();
  for (const { reason, ref } of missing) {
    const list = byReason.get(reason);
    if (list) list.push(ref);
    else byReason.set(reason, [ref]);
  }
  const pushes = timelines.filter(({ beginsWith }) => beginsWith === "push");
  return {
    seen: timelines.length + excluded.length,
    measured: timelines.length,
    withBuilds: withBuilds.length,
    excluded: [...byReason]
      .map(([reason, pulls]): Exclusion => ({
        reason,
        count: pulls.length,
        pulls: pulls.slice(0, MOST_NAMED),
      }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    beginsWith: {
      push: pushes.length,
      opened: timelines.length - pushes.length,
    },
    skewedSpans: timelines.reduce((sum, each) => sum + each.skewedSpans, 0),
    reverted: timelines.filter(({ facts }) => facts.reverted).length,
    unread,
  };
}
