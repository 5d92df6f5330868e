import type { LaunchedJob, LaunchState } from "../launch.js";
import { lossWords, type LaunchEvent } from "./event.js";

/** Returns the events of all jobs between two states. Pure. */
export function changes(
  before: LaunchState,
  after: LaunchState,
): readonly LaunchEvent[] {
  return after.jobs.flatMap((job, index) => {
    const old = before.jobs[index];
    return old === undefined ? [] : changesOf(old, job);
  });
}

/** Returns the events of one job. Pure. */
export function changesOf(
  before: LaunchedJob,
  { job, phase, run, conclusion, lost }: LaunchedJob,
): readonly LaunchEvent[] {
  const events: LaunchEvent[] = lost.slice(before.lost.length).map((loss) => ({
    kind: "lost",
    job,
    machine: loss.machine,
    why: lossWords(loss),
  }));
  const isSeen = phase === "running" || phase === "over";
  if (before.phase === "asked" && isSeen && run !== null)
    events.push({ kind: "running", job, run });
  const ended = before.conclusion ?? conclusion;
  if (phase === "ended" && before.phase !== "ended")
    events.push({ kind: "ended", job, conclusion: ended ?? "lost" });
  if (phase === "planned" && before.phase === "over")
    events.push({ kind: "retried", job, conclusion: ended ?? "lost" });
  return events;
}
