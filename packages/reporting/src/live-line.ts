import { ciOf } from "@skein/ci";
import type { CliWorld } from "./run-cli.js";
import { cutTo } from "./width.js";

/** A line that is redrawn. */
export interface LiveLine {
  /** Whether there is a line: not in CI, and only on a terminal. Logs would keep every state of it. */
  readonly isLive: boolean;
  /** Shows a text, cut to the terminal's width, in place of the one before. */
  readonly draw: (text: string) => void;
  /** Removes the text, so that another line can be written. */
  readonly erase: () => void;
}

/** Opens a live line on stderr. */
export function openLiveLine({
  stderr,
  env,
}: Pick<CliWorld, "stderr" | "env">): LiveLine {
  const isLive = stderr.isTTY === true && !ciOf(env).isCi;
  let isDrawn = false;
  const erase = () => {
    if (isDrawn) stderr.write("\r\u001b[K");
    isDrawn = false;
  };
  return {
    isLive,
    draw(text) {
      if (!isLive) return;
      erase();
      stderr.write(cutTo(text, (stderr.columns ?? 80) - 1));
      isDrawn = true;
    },
    erase,
  };
}
