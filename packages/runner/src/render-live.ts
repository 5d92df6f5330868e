import { cutTo, formatDuration, palette, printable } from "@skein/reporting";
import type { UnitId } from "./unit.js";

/** Lines of running scripts that are shown; the rest is a number. */
const MOST_LINES = 8;

/** A run under way. */
export interface LiveState {
  readonly running: readonly {
    readonly id: UnitId;
    readonly sinceMs: number;
  }[];
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** Undefined where there is no history to tell from. */
  readonly leftMs: number | undefined;
}

/** A run under way, as lines that are never wider than the terminal: a wrapped line could not be redrawn in place. */
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
  /** What each unit that has not ended is expected to take still; undefined where nobody knows. */
  readonly remainingMs: readonly (number | undefined)[];
  readonly concurrency: number;
}

/**
 * How long a run will still take: the work shared by all hands, but never less than its longest piece. Units without a
 * history count as the average of the others. Undefined where no unit has one.
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
