import type { Walk } from "./sync-state.js";

/** GitHub's lists may lag behind a little. */
const OVERLAP_MS = 10 * 60_000;

/** Returns where a walk is to end that goes down from the newest: where the last one began, or at the very beginning. */
export function stopOf({ covered }: Walk, since: number): number {
  return covered === null || since < covered.from
    ? since
    : Math.max(since, covered.to - OVERLAP_MS);
}

/** Returns a walk that has reached its stop. */
export function arrived({ covered }: Walk, target: number, stop: number): Walk {
  // It came down to where something was covered already, or it made a new beginning.
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
 * Goes down a list from its newest end, a page at a time, until it meets what is covered. One that was interrupted
 * first goes on where it
 * stood, and then looks at what has come in since.
 * @param page reads one page and keeps what it finds
 * @param save keeps how far it has come, together with what was found
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
  /** Of what the list is ordered by; undefined for an empty page. */
  readonly newest: number | undefined;
  readonly oldest: number | undefined;
  /** Undefined after the last page. */
  readonly next: string | undefined;
}
