import type { Walk } from "./sync-state.js";

/** GitHub's lists may lag behind a little. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Returns the end of a walk that starts at the newest item: the start of the last walk, or the start of the time to
 * read.
 */
export function stopOf({ covered }: Walk, since: number): number {
  return covered === null || since < covered.from
    ? since
    : Math.max(since, covered.to - OVERLAP_MS);
}

/** Returns a walk that has reached its stop. */
export function arrived({ covered }: Walk, target: number, stop: number): Walk {
  // It reached the time that was already covered, or it replaces that time.
  const joins = covered !== null && stop > covered.from;
  return {
    covered: {
      from: joins ? covered.from : stop,
      to: Math.max(target, covered?.to ?? target),
    },
    under: null,
  };
}

/**
 * Reads a list from its newest item, page by page, until it reaches the covered time. A walk that was interrupted first
 * continues where it stopped, and then reads newer items.
 * @param page reads one page and adds its items
 * @param save stores the progress, together with the items
 */
export async function walkDown(
  start: Walk,
  since: number,
  page: (after: string | undefined) => Promise<WalkedPage>,
  save: (walk: Walk) => Promise<void>,
  show: (at: number) => void,
): Promise<Walk> {
  let walk = start;
  for (;;) {
    const resumed = walk.under;
    const stop = resumed?.stop ?? stopOf(walk, since);
    let target = resumed?.target;
    let after: string | undefined = resumed?.after;
    for (;;) {
      const { newest, oldest, next } = await page(after);
      target ??= newest ?? stop;
      if (oldest !== undefined) show(oldest);
      after = next;
      if (after === undefined || oldest === undefined || oldest < stop) break;
      walk = { ...walk, under: { target, stop, after } };
      await save(walk);
    }
    walk = arrived(walk, target, stop);
    await save(walk);
    if (!resumed) return walk;
  }
}

export interface WalkedPage {
  /** The value that the list is sorted by; undefined for an empty page. */
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
  /** Undefined after the last page. */
  readonly next: string | undefined;
}
