import { ciOf } from "@skein/ci";
import type { CliWorld } from "@skein/reporting";

/** The milliseconds between two updates, and before the first one. A small store takes less time. */
const REDRAW = 250;

/** A display of the progress of a report. */
export interface Progress {
  /** @param words is called only for an update */
  show(words: () => string): void;
  /** Removes the line. */
  close(): void;
}

/** Opens a line on stderr that is redrawn. It shows nothing in CI, and if stderr isn't a terminal. */
export function openProgress({
  stderr,
  now,
  env,
}: Pick<CliWorld, "stderr" | "now" | "env">): Progress {
  const isLive = stderr.isTTY === true && !ciOf(env).isCi;
  let drawn = now();
  let isDrawn = false;
  return {
    show(words) {
      if (!isLive || now() - drawn < REDRAW) return;
      drawn = now();
      isDrawn = true;
      stderr.write(`\r\u001b[2K${words()}`);
    },
    close() {
      if (isDrawn) stderr.write("\r\u001b[2K");
      isDrawn = false;
    },
  };
}
