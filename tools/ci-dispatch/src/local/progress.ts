import { ciOf } from "@skein/ci";
import { cutTo, formatDuration } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import type { PlannedJob } from "../plan.js";

/** Tells how a run goes on. */
export interface Progress {
  /** A line of its own. */
  tell(line: string): void;
  started(job: PlannedJob): void;
  /** @param how in words @param output what it printed; empty for nothing to show */
  ended(job: PlannedJob, how: string, output: string): void;
  close(): void;
}

const REDRAW_MS = 250;

/**
 * Opens a view on stderr: a line for each job that ends, and on a terminal one more that lives.
 * @param total jobs @param done of them have ended already
 */
export function openProgress(
  { stderr, now, env }: Pick<CliWorld, "stderr" | "now" | "env">,
  total: number,
  done = 0,
): Progress {
  const running = new Map<string, { start: number; expectedMs: number }>();
  const isLive = stderr.isTTY === true && !ciOf(env).isCi;
  let isDrawn = false;
  const erase = () => {
    if (isDrawn) stderr.write("\r\u001b[K");
    isDrawn = false;
  };
  const draw = () => {
    erase();
    if (running.size === 0) return;
    const parts = [...running].map(
      ([id, { start, expectedMs }]) =>
        `${id} ${formatDuration(now() - start)} of ${formatDuration(expectedMs)}`,
    );
    stderr.write(
      cutTo(
        `[${done}/${total}] ${parts.join(", ")}`,
        (stderr.columns ?? 80) - 1,
      ),
    );
    isDrawn = true;
  };
  const timer = isLive ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    tell(line) {
      erase();
      stderr.write(`${line}\n`);
    },
    started({ id, expectedMs }) {
      running.set(id, { start: now(), expectedMs });
    },
    ended({ id }, how, output) {
      running.delete(id);
      done++;
      erase();
      if (output !== "") stderr.write(`${output.trimEnd()}\n`);
      stderr.write(`[${done}/${total}] ${id} ${how}\n`);
    },
    close() {
      clearInterval(timer);
      erase();
    },
  };
}
