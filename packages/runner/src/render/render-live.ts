import { cutTo, formatDuration, palette, printable } from "@skein/reporting";
import type { UnitId } from "../unit.js";

/** The maximum number of running scripts with their own line. The others are only counted. */
const MOST_LINES = 8;

/** The state of a run. */
export interface LiveState {
  readonly running: readonly {
    readonly id: UnitId;
    readonly sinceMs: number;
  }[];
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** Undefined without a history. */
  readonly leftMs: number | undefined;
}

/**
 * Renders a run's state as lines that are never wider than the terminal, because a wrapped line could not be redrawn in
 * place.
 */
export function renderLive(
  state: LiveState,
  width: number,
  colour: boolean,
): readonly string[] {
  const paint = palette(colour);
  const most = Math.max(1, width - 1);
  const { running, done, failed, total, elapsedMs, leftMs } = state;
  const more = running.length - MOST_LINES;
  const sum = [
    `${done}/${total} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${running.length} running`,
    formatDuration(elapsedMs),
    ...(leftMs === undefined ? [] : [`about ${formatDuration(leftMs)} left`]),
  ].join(" · ");
  return [
    ...running
      .slice(0, MOST_LINES)
      .map(({ id, sinceMs }) =>
        paint.dim(cutTo(`  ${printable(id)} ${formatDuration(sinceMs)}`, most)),
      ),
    ...(more > 0 ? [paint.dim(cutTo(`  and ${more} more`, most))] : []),
    (failed > 0 ? paint.red : paint.bold)(cutTo(sum, most)),
  ];
}

export interface EstimateInput {
  /** The expected remaining time of each unit that has not ended; undefined if unknown. */
  readonly remainingMs: readonly (number | undefined)[];
  readonly concurrency: number;
}

/**
 * Estimates the remaining time of a run: the total work divided by the concurrency, but at least the longest unit.
 * Units without a history count as the average of the others. Undefined if no unit has a history.
 */
export function estimateLeft({
  remainingMs,
  concurrency,
}: EstimateInput): number | undefined {
  const known = remainingMs.filter((each) => each !== undefined);
  if (known.length === 0) return remainingMs.length === 0 ? 0 : undefined;
  const sum = known.reduce((total, each) => total + each, 0);
  const work = (sum / known.length) * remainingMs.length;
  return Math.max(work / Math.max(1, concurrency), ...known);
}
