import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import type { Plan } from "../plan.js";

/** A run may appear some looks after it was asked for; one that is still not there after so many is lost. */
export const LOOKS = 6;
/** A job that was lost so often is not asked for again. */
export const MOST_LOSSES = 3;

/** The state before anything is asked for. */
export function newState(
  plan: Plan,
  at: Pick<LaunchState, "repository" | "workflow" | "ref">,
): LaunchState {
  return {
    version: 1,
    plan: plan.id,
    repository: at.repository,
    workflow: at.workflow,
    ref: at.ref,
    jobs: plan.jobs.map(({ id }) => ({
      job: id,
      id: runName(plan.id, id, 0),
      phase: "planned",
      run: null,
      conclusion: null,
      unseen: 0,
      losses: 0,
    })),
  };
}

/**
 * Compares what was asked for with what is there. Pure. A run is known by its id or by its name; a job that was asked for
 * and is not seen for a while goes back to `planned`, under another name, so that the lost run cannot be taken for it.
 */
export function reconcile(
  state: LaunchState,
  seen: readonly SeenRun[],
): LaunchState {
  const byId = new Map(seen.map((run) => [run.id, run]));
  const byTitle = new Map(seen.map((run) => [run.title, run]));
  return {
    ...state,
    jobs: state.jobs.map((job) => {
      if (job.phase === "planned" || job.phase === "ended") return job;
      const run =
        (job.run === null ? undefined : byId.get(job.run)) ??
        byTitle.get(job.id);
      if (run)
        return {
          ...job,
          run: run.id,
          unseen: 0,
          phase: run.conclusion === undefined ? "running" : "ended",
          conclusion: run.conclusion ?? null,
        };
      return job.unseen + 1 < LOOKS
        ? { ...job, unseen: job.unseen + 1 }
        : lost(state.plan, job);
    }),
  };
}

/** Whether every job has come to its end. */
export function isSettled({ jobs }: LaunchState): boolean {
  return jobs.every(({ phase }) => phase === "ended");
}

function lost(plan: string, job: LaunchedJob): LaunchedJob {
  const losses = job.losses + 1;
  if (losses >= MOST_LOSSES)
    return { ...job, losses, phase: "ended", conclusion: "lost", unseen: 0 };
  return {
    ...job,
    id: runName(plan, job.job, losses),
    phase: "planned",
    run: null,
    unseen: 0,
    losses,
  };
}

function runName(plan: string, job: string, losses: number): string {
  return `${job} of ${plan}${losses === 0 ? "" : ` (again, ${losses})`}`;
}
