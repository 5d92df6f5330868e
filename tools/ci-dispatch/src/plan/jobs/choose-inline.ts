import { formatDuration } from "@skein/reporting";
import type { InlineMode } from "@skein/workspaces";
import type { PlannedJob, PlanOptions } from "../../plan.js";

/**
 * The cost in milliseconds of the job that judges several others: the start of its runner, the tool, and the
 * attestations.
 */
const JUDGE_MS = 20_000;

export interface InlineOptions extends Pick<
  PlanOptions,
  "setupMs" | "targetMs"
> {
  readonly mode: InlineMode;
}

/**
 * Chooses between several jobs and a single one that runs everything. Several jobs end earlier, but each has a set-up,
 * and a separate job judges them. `auto` chooses one job if it meets the target, and if the extra waiting time is at
 * most the machine time that it saves. Pure.
 * @param split the several jobs
 * @param whole the same units in one job
 * @returns whether to use one job; for `auto`, also a description of the trade-off
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
