import { formatDuration, type CliWorld } from "@skein/reporting";
import { openLiveLine } from "@skein/reporting/live-line";
import type { PlannedJob } from "../plan.js";

/** A display of the progress of a run. */
export interface Progress {
  /** Writes a line. */
  print(line: string): void;
  started(job: PlannedJob): void;
  /**
   * Shows the end of a job.
   * @param how in words
   * @param output the job's output; empty to show none
   */
  ended(job: PlannedJob, how: string, output: string): void;
  close(): void;
}

const REDRAW_MS = 250;

/**
 * Opens a display on stderr: a line for each job that ends, and on a terminal another line that is redrawn.
 * @param total the number of jobs
 * @param done the number of jobs that have already ended
 */
export function openProgress(
  world: Pick<CliWorld, "stderr" | "now" | "env">,
  total: number,
  done = 0,
): Progress {
  const running = new Map<string, { start: number; expectedMs: number }>();
  const { stderr, now } = world;
  const { isLive, draw, erase } = openLiveLine(world);
  const redraw = () => {
    if (running.size === 0) {
      erase();
      return;
    }
    const parts = [...running].map(
      ([id, { start, expectedMs }]) =>
        `${id} ${formatDuration(now() - start)} of ${formatDuration(expectedMs)}`,
    );
    draw(`[${done}/${total}] ${parts.join(", ")}`);
  };
  const timer = isLive ? setInterval(redraw, REDRAW_MS) : undefined;
  return {
    print(line) {
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
