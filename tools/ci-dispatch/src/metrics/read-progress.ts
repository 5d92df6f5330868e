import { ciOf } from "@skein/ci";
import { count, formatNumber, type CliWorld } from "@skein/reporting";

/** The milliseconds between two updates, and before the first one. A small store is read in less time. */
const REDRAW = 250;

/** A display of the progress of reading a store. */
export interface ReadProgress {
  show(files: number, events: number): void;
  /** Removes the line. */
  close(): void;
}

/** Opens a line on stderr that is redrawn. It shows nothing in CI, and if stderr isn't a terminal. */
export function openReadProgress(
  { stderr, now, env }: Pick<CliWorld, "stderr" | "now" | "env">,
  total: number,
): ReadProgress {
  const isLive = stderr.isTTY === true && !ciOf(env).isCi;
  let drawn = now();
  let isDrawn = false;
  return {
    show(files, events) {
      if (!isLive || now() - drawn < REDRAW) return;
      drawn = now();
      isDrawn = true;
      stderr.write(
        `\r\u001b[2Kreading ${formatNumber(files)} of ${count(total, "file")}, ${count(events, "event")}`,
      );
    },
    close() {
      if (isDrawn) stderr.write("\r\u001b[2K");
    },
  };
}
