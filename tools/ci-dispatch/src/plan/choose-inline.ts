import { formatDuration } from "@skein/reporting";
import type { InlineMode } from "@skein/workspaces";
import type { PlannedJob } from "../plan.js";

/** What the job costs that judges several legs: its runner's start, the tool, and the attestations. Milliseconds. */
const JUDGE_MS = 20_000;

export interface InlineOptions {
  readonly mode: InlineMode;
  /** Of each job; milliseconds. */
  readonly setupMs: number;
  /** How long a job should take, with its set-up; milliseconds. */
  readonly targetMs: number;
}

/**
 * Chooses between several jobs and one that runs everything. Several jobs end earlier, and each has a set-up; a job of
 * its own judges them. `auto` takes the one job if nobody waits longer for it than the others cost in machine time, and
 * if it keeps to the target. Pure.
 * @param split the jobs that would run
 * @param whole the same units in one job
 * @returns whether it is one job; for `auto`, what that trades, in words
 */
export function chooseInline(
  split: readonly PlannedJob[],
  whole: PlannedJob,
  { mode, setupMs, targetMs }: InlineOptions,
): { readonly inline: boolean; readonly traded?: string } {
  if (mode === "never" || split.length === 0) return { inline: false };
  if (mode === "always" || split.length === 1) return { inline: true };
  const longest = Math.max(...split.map(({ expectedMs }) => expectedMs));
  const waitMs = whole.expectedMs - longest - JUDGE_MS;
  const machineMs = (split.length - 1) * setupMs + JUDGE_MS;
  const fits = setupMs + whole.expectedMs <= targetMs;
  if (!fits || waitMs > machineMs) return { inline: false };
  const wait =
    waitMs > 0
      ? `end ${formatDuration(waitMs)} earlier`
      : `end ${formatDuration(-waitMs)} later`;
  return {
    inline: true,
    traded: `one job runs everything: ${split.length} jobs and one that judges them would ${wait} and take ${formatDuration(machineMs)} more machine time`,
  };
}
