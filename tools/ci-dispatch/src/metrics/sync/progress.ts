import { count, formatNumber, type CliWorld } from "@skein/reporting";
import { openLiveLine } from "@skein/reporting/live-line";
import { STAGES, type Meter, type Stage } from "@skein/metrics-store/sync";

/** A display of the progress and the cost of a sync. */
export interface SyncProgress {
  show(stage: Stage, part: number): void;
  /** Writes a line that stays. */
  note(line: string): void;
  close(): void;
}

const WIDTH = 20;
const REDRAW_MS = 100;

/** Opens a display on stderr: a bar that is redrawn on a terminal, otherwise one line per stage. */
export function openSyncProgress(
  world: Pick<CliWorld, "stderr" | "now" | "env">,
  meter: Meter,
): SyncProgress {
  const { stderr, now } = world;
  const { isLive, draw, erase } = openLiveLine(world);
  let shown: Stage | undefined;
  let drawnAt = 0;
  return {
    show(stage, part) {
      if (!isLive) {
        if (stage !== shown) stderr.write(`reading ${stage}\n`);
        shown = stage;
        return;
      }
      if (stage === shown && now() - drawnAt < REDRAW_MS && part < 1) return;
      shown = stage;
      drawnAt = now();
      draw(bar(stage, part, meter));
    },
    note(line) {
      erase();
      stderr.write(`note: ${line}\n`);
    },
    close: erase,
  };
}

/** Returns `[#####---------------] 2/4 pushes, 312 requests, 4,688 left`. */
function bar(stage: Stage, part: number, meter: Meter): string {
  const whole = Math.max(0, Math.min(1, part));
  const full = Math.round(whole * WIDTH);
  const drawn = "#".repeat(full) + "-".repeat(WIDTH - full);
  const at = `${STAGES.indexOf(stage) + 1}/${STAGES.length}`;
  const left =
    meter.left === undefined
      ? ""
      : `, ${formatNumber(meter.left)} left in this hour`;
  return `[${drawn}] ${at} ${stage}, ${count(meter.spent, "request")}${left}`;
}
