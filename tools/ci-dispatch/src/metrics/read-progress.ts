import { ciOf } from "@skein/ci";
import { count, formatNumber, type CliWorld } from "@skein/reporting";

/** Milliseconds between two lines, and before the first one: a small store is read sooner. */
const REDRAW = 250;

/** Shows how far a store has been read. */
export interface ReadProgress {
  show(files: number, events: number): void;
  /** Removes the line. */
  close(): void;
}

/** Opens a line on stderr that is drawn over again; on anything but a terminal, and in CI, nothing is shown. */
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
