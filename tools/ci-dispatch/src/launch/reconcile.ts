import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import type { Plan } from "../plan.js";

/** A job that was lost so often is not asked for again. */
export const MOST_LOSSES = 3;

/** The state before anything is asked for. */
export function newState(
  plan: Plan,
  at: Omit<LaunchState, "version" | "plan" | "jobs">,
): LaunchState {
  return {
    version: 1,
    ...at,
    plan: plan.id,
    jobs: plan.jobs.map(({ id }) => ({
      job: id,
      id: runName(plan.id, id, 1),
      machine: 1,
      phase: "planned",
      run: null,
      conclusion: null,
      unseen: 0,
      losses: 0,
      retried: 0,
      abandoned: [],
    })),
  };
}

/**
 * Compares what was asked for with what is there. Pure. A run is known by its id or by its name; a job that was asked for
 * and is not seen for a while goes back to `planned`, under another name, so that the lost run cannot be taken for it.
 * @param patience looks after which what is not there is lost: lists are late
 */
export function reconcile(
  state: LaunchState,
  seen: readonly SeenRun[],
  patience: number,
): LaunchState {
  const byId = new Map(seen.map((run) => [run.id, run]));
  const byTitle = new Map(seen.map((run) => [run.title, run]));
  return {
    ...state,
    jobs: state.jobs.map((job) => {
      if (job.phase !== "asked" && job.phase !== "running") return job;
      const run =
        (job.run === null ? undefined : byId.get(job.run)) ??
        byTitle.get(job.id);
      if (run)
        return {
          ...job,
          run: run.id,
          unseen: 0,
          phase: run.conclusion === undefined ? "running" : "over",
          conclusion: run.conclusion ?? null,
        };
      return job.unseen + 1 < patience
        ? { ...job, unseen: job.unseen + 1 }
        : lost(state.plan, job);
    }),
  };
}

/** Whether every job has come to its end. */
export function isSettled({ jobs }: LaunchState): boolean {
  return jobs.every(({ phase }) => phase === "ended");
}

/** Runs that were given up and are there all the same: nobody waits for them. */
export function strays(
  { jobs }: LaunchState,
  seen: readonly SeenRun[],
): readonly SeenRun[] {
  const names = new Set(jobs.flatMap(({ abandoned }) => abandoned));
  return seen.filter(
    ({ title, conclusion }) => conclusion === undefined && names.has(title),
  );
}

/** The job as it is before it is asked for on another machine. */
export function onAnotherMachine(plan: string, job: LaunchedJob): LaunchedJob {
  const machine = job.machine + 1;
  return {
    ...job,
    id: runName(plan, job.job, machine),
    machine,
    phase: "planned",
    run: null,
    conclusion: null,
    unseen: 0,
  };
}

function lost(plan: string, job: LaunchedJob): LaunchedJob {
  const losses = job.losses + 1;
  const abandoned = [...job.abandoned, job.id];
  if (losses < MOST_LOSSES)
    return { ...onAnotherMachine(plan, job), losses, abandoned };
  return {
    ...job,
    phase: "ended",
    conclusion: "lost",
    unseen: 0,
    losses,
    abandoned,
  };
}

function runName(plan: string, job: string, machine: number): string {
  return `${job} of ${plan}${machine === 1 ? "" : ` on machine ${machine}`}`;
}
