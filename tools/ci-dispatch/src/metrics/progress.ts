import type { CliWorld } from "@skein/reporting";
import { openLiveLine } from "@skein/reporting/live-line";

/** The milliseconds between two updates, and before the first one. A small store takes less time. */
const REDRAW = 250;

/** A display of the progress of a report. */
export interface Progress {
  /** @param words is called only for an update */
  show(words: () => string): void;
  /** Removes the line. */
  readonly close: () => void;
}

/** Opens a live line on stderr. */
export function openProgress(
  world: Pick<CliWorld, "stderr" | "now" | "env">,
): Progress {
  const { isLive, draw, erase } = openLiveLine(world);
  let drawn = world.now();
  return {
    show(words) {
      if (!isLive || world.now() - drawn < REDRAW) return;
      drawn = world.now();
      draw(words());
    },
    close: erase,
  };
}
