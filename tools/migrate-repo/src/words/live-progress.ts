import {
  count,
  formatDuration,
  formatNumber,
  type CliWorld,
} from "@skein/reporting";
import { openLiveLine } from "@skein/reporting/live-line";
import { PHASES, silent, type Phase, type Progress } from "./progress.js";

/** The least milliseconds between two updates of the line: often enough to look alive, rare enough to cost nothing. */
const REDRAW = 100;

/** Returns a live line on a terminal. Elsewhere it prints nothing, because logs keep every line. */
export function progressFor(
  world: Pick<CliWorld, "stderr" | "now" | "env">,
): Progress {
  const { isLive, draw, erase } = openLiveLine(world);
  if (!isLive) return silent;
  const { now } = world;
  let current:
    | { id: Phase; total: number | undefined; since: number }
    | undefined;
  let drawn = 0;
  return {
    phase(id, total) {
      current = { id, total, since: now() };
      drawn = 0;
      draw(PHASES[id]);
    },
    advance(done) {
      if (!current || now() - drawn < REDRAW) return;
      drawn = now();
      draw(
        `${PHASES[current.id]}: ${rate(done, current.total, drawn - current.since)}`,
      );
    },
    end() {
      erase();
      current = undefined;
    },
  };
}

/**
 * Returns the progress, the speed, and the remaining time: `1,200 of 50,000 commits, 6,100/s, 8.0 s left`.
 * @param ms milliseconds since the start of the phase
 */
export function rate(
  done: number,
  total: number | undefined,
  ms: number,
): string {
  const perSecond = ms > 0 ? (done * 1000) / ms : 0;
  const so =
    total === undefined
      ? count(done, "commit")
      : `${formatNumber(done)} of ${count(total, "commit")}`;
  if (perSecond < 1) return so;
  const speed = `${so}, ${formatNumber(Math.round(perSecond))}/s`;
  return total === undefined || total <= done
    ? speed
    : `${speed}, ${formatDuration(((total - done) * 1000) / perSecond)} left`;
}
