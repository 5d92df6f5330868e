import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import type { Plan } from "../plan.js";

/** A job that was given up so often is not asked for again. */
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
      attempt: 1,
      phase: "planned",
      run: null,
      conclusion: null,
      unseen: 0,
      lost: [],
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
      // Lists are late: they show the attempt before for a while.
      if (run && run.attempt >= job.attempt)
        return {
          ...job,
          run: run.id,
          // Somebody may have started it anew by hand.
          attempt: run.attempt,
          machine: job.machine + run.attempt - job.attempt,
          unseen: 0,
          phase: run.conclusion === undefined ? "running" : "over",
          conclusion: run.conclusion ?? null,
        };
      return job.unseen + 1 < patience
        ? { ...job, unseen: job.unseen + 1 }
        : givenUp(state.plan, job);
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

/**
 * The job as it is before it is asked for again: by its run where it has one that failed, since that keeps the commit
 * and the evidence together, and GitHub refuses to do it twice; else by a new one.
 */
export function again(plan: string, job: LaunchedJob): LaunchedJob {
  const { run, conclusion, attempt, machine } = job;
  if (run === null || conclusion === null || conclusion === "success")
    return byNewRun(plan, { ...job, machine: machine + 1 });
  return {
    ...job,
    machine: machine + 1,
    attempt: attempt + 1,
    phase: "planned",
    conclusion: null,
    unseen: 0,
  };
}

/** The job as it is before a new run is asked for, on the machine that is its turn. */
export function byNewRun(plan: string, job: LaunchedJob): LaunchedJob {
  return {
    ...job,
    id: runName(plan, job.job, job.machine, job.abandoned.length + 1),
    attempt: 1,
    phase: "planned",
    run: null,
    conclusion: null,
    unseen: 0,
  };
}

/** The job with its machine among those that told nothing. */
export function withLoss(job: LaunchedJob): LaunchedJob {
  const { machine, attempt, run, conclusion } = job;
  const loss = { machine, attempt, run, conclusion };
  return { ...job, lost: [...job.lost, loss] };
}

/** Only one that was seen had a machine; the others are asked for under another name, and are no loss. */
function givenUp(plan: string, job: LaunchedJob): LaunchedJob {
  const given = { ...job, abandoned: [...job.abandoned, job.id] };
  const isLast = given.abandoned.length >= MOST_LOSSES;
  const known = job.phase === "running" || isLast ? withLoss(given) : given;
  if (isLast)
    return { ...known, phase: "ended", conclusion: "lost", unseen: 0 };
  const machine = job.phase === "running" ? job.machine + 1 : job.machine;
  return byNewRun(plan, { ...known, machine });
}

/** Another name each time that a run is asked for. */
function runName(
  plan: string,
  job: string,
  machine: number,
  tries = 1,
): string {
  return `${job} of ${plan}${machine === 1 ? "" : ` on machine ${machine}`}${tries === 1 ? "" : `, try ${tries}`}`;
}
