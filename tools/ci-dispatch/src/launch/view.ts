import { inertLog } from "@skein/reporting";
import type { LaunchState } from "../launch.js";
import { openProgress } from "../local/progress.js";
import type { Plan } from "../plan.js";
import { renderVerdict } from "../render/render-verdict.js";
import type { Verdict } from "../verdict.js";
import type { DispatchWorld } from "../world.js";
import { eventWords, type LaunchEvent } from "./event.js";

/** A display of the progress of a launch. */
export interface LaunchView {
  readonly onEvent: (event: LaunchEvent) => void;
  /** Writes a line for people. */
  readonly note: (line: string) => void;
  /** Shows the verdict at the end. */
  readonly judged: (verdict: Verdict) => void;
  readonly close: () => void;
}

/** Opens a display that prints each event as a line of JSON on stdout, and the verdict as the last line. */
export function openEvents({ stdout, now }: DispatchWorld): LaunchView {
  const write = (event: object) => {
    const at = new Date(now()).toISOString();
    stdout.write(`${JSON.stringify({ version: 1, at, ...event })}\n`);
  };
  return {
    onEvent: write,
    note: () => undefined,
    judged: (verdict) => write({ kind: "judged", verdict }),
    close: () => undefined,
  };
}

/** Opens the display of `run`: lines, a line that is redrawn on terminals, and the verdict on stdout. */
export function openView(
  world: DispatchWorld,
  plan: Plan,
  { jobs }: LaunchState,
): LaunchView {
  const planned = new Map(plan.jobs.map((job) => [job.id, job]));
  const done = jobs.filter(({ phase }) => phase === "ended").length;
  const progress = openProgress(world, jobs.length, done);
  const start = (id: string) => {
    const job = planned.get(id);
    if (job) progress.started(job);
  };
  for (const { job, phase } of jobs) if (phase === "running") start(job);
  const { stdout } = world;
  return {
    onEvent(event) {
      const job = "job" in event ? planned.get(event.job) : undefined;
      if (event.kind === "running") start(event.job);
      if (job && event.kind === "ended")
        progress.ended(job, event.conclusion, "");
      else progress.print(eventWords(event));
    },
    note: (line) => progress.print(line),
    judged(verdict) {
      const width = stdout.isTTY ? stdout.columns : undefined;
      stdout.write(inertLog(renderVerdict(verdict, width)));
    },
    close: () => progress.close(),
  };
}
