import type { Instant, Published } from "../events/event.js";
import { pullKey } from "../link/pull-spans.js";
import { distribution } from "./distribution.js";
import type { Distribution, Sample } from "./distribution.js";
import type { Measured } from "./measured.js";
import type { Rate } from "./rate.js";
import type { Until } from "./report.js";

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

/**
 * Returns three of DORA's four keys (https://dora.dev/guides/dora-metrics-four-keys/). The fourth, the lead time for changes,
 * is `measures.gross`.
 * @param inWindow the measured pull requests of the window, in order (`byRef`)
 * @param all every measured pull request that is known, including those that revert others
 * @returns null if changes end with their merge, because deployments are unknown then
 */
export function doraOf(
  inWindow: readonly Measured[],
  all: readonly Measured[],
  {
    until,
    days,
    asOf,
  }: { readonly until: Until; readonly days: number; readonly asOf: Instant },
): Dora | null {
  if (until === "merged") return null;
  const ended = inWindow.filter(({ unfinished }) => !unfinished);
  const deployments = new Set<Published>();
  for (const { publication } of ended)
    if (publication) deployments.add(publication);
  const failed = ended.filter(({ revertedBy }) => revertedBy !== undefined);
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
  all: readonly Measured[],
  asOf: Instant,
): readonly Sample[] {
  const wanted = new Set(
    failed.map(({ ref: { repository }, revertedBy = 0 }) =>
      pullKey(repository, revertedBy),
    ),
  );
  const reverts = new Map(
    all
      .map(
        (each) => [pullKey(each.ref.repository, each.ref.pull), each] as const,
      )
      .filter(([key]) => wanted.has(key)),
  );
  return failed.map(({ ref, ended, revertedBy = 0 }): Sample => {
    const revert = reverts.get(pullKey(ref.repository, revertedBy));
    const isOver = revert !== undefined && revert.unfinished === undefined;
    const to = isOver ? revert.ended : asOf;
    return { ref, ms: Math.max(0, to - ended), ended: isOver };
  });
}
