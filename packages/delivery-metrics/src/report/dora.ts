import type { Instant, Published } from "../events/event.js";
import type { Timeline } from "../timeline/timeline.js";
import { distribution } from "./distribution.js";
import type { Sample } from "./distribution.js";
import type { Measured } from "./measured.js";
import type { Dora, Until } from "./report.js";

/**
 * Returns three of DORA's four keys (https://dora.dev/guides/dora-metrics-four-keys/). The fourth, the lead time for changes,
 * is `measures.gross`.
 * @param inWindow the measured pull requests of the window, in order (`byRef`)
 * @param all every measured pull request that is known, including those that revert others
 * @returns null if changes end with their merge, because deployments are unknown then
 */
export function doraOf(
  inWindow: readonly Measured[],
  all: readonly Timeline[],
  {
    until,
    days,
    asOf,
  }: { readonly until: Until; readonly days: number; readonly asOf: Instant },
): Dora | null {
  if (until === "merged") return null;
  const ended = inWindow.filter(({ timeline }) => !timeline.unfinished);
  const deployments = new Set<Published>();
  for (const { timeline } of ended)
    if (timeline.publication) deployments.add(timeline.publication);
  const failed = ended.filter(({ timeline }) => timeline.facts.reverted);
  return {
    deployments: deployments.size,
    deploymentsPerDay: deployments.size / days,
    failures: {
      count: failed.length,
      of: ended.length,
      rate: ended.length === 0 ? null : failed.length / ended.length,
    },
    // Few changes fail, so a single one has percentiles, too.
    recovery: distribution(recoveries(failed, all, asOf), 1),
  };
}

/** Returns, for each failed change, the time from its deployment to the deployment of its revert. */
function recoveries(
  failed: readonly Measured[],
  all: readonly Timeline[],
  asOf: Instant,
): readonly Sample[] {
  const byPull = new Map(
    all.map((timeline) => [keyOf(timeline.facts), timeline]),
  );
  return failed.flatMap(({ ref, timeline: { ended, facts } }): Sample[] => {
    const { reverted, repository } = facts;
    if (!reverted) return [];
    const revert = byPull.get(keyOf({ repository, pull: reverted.by }));
    const isOver = revert !== undefined && revert.unfinished === undefined;
    const to = isOver ? revert.ended : asOf;
    return [{ ref, ms: Math.max(0, to - ended), ended: isOver }];
  });
}

function keyOf({
  repository,
  pull,
}: {
  readonly repository: string;
  readonly pull: number;
}): string {
  return `${repository} ${pull}`;
}
