import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import type { Plan } from "../plan.js";

/** How many runs of a job may be abandoned before it isn't requested again. */
const MOST_LOSSES = 3;

/** Creates the state before any request. */
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
 * Compares the requested runs with the existing ones. Pure. It finds a run by its id or by its name. A requested job
 * without a run for a while goes back to `planned` under another name, so that the lost run can't be confused with the
 * new one.
 * @param patience the number of looks after which a missing run is lost, since lists lag behind
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
      // Lists lag behind and show the previous attempt for a while.
      if (run && run.attempt >= job.attempt)
        return {
          ...job,
          run: run.id,
          // Someone may have started the run again by hand.
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

/** Returns whether all jobs have ended. */
export function isSettled({ jobs }: LaunchState): boolean {
  return jobs.every(({ phase }) => phase === "ended");
}

/** Returns abandoned runs that exist nevertheless. No job waits for them. */
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
 * Returns the state of a job before its retry. If its run failed, the same run runs again, which keeps the commit and
 * the evidence together, and which GitHub refuses to do twice. Otherwise the job gets a new run.
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

/** Returns the state of a job before a request for a new run on the job's current machine. */
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

/** Returns the job with its machine added to the lost ones. */
export function withLoss(job: LaunchedJob): LaunchedJob {
  const { machine, attempt, run, conclusion } = job;
  const loss = { machine, attempt, run, conclusion };
  return { ...job, lost: [...job.lost, loss] };
}

/**
 * Gives up a run. Only a run that was seen had a machine. Others are requested under another name, and don't count as
 * lost until the last try.
 */
function givenUp(plan: string, job: LaunchedJob): LaunchedJob {
  const given = { ...job, abandoned: [...job.abandoned, job.id] };
  const isLast = given.abandoned.length >= MOST_LOSSES;
  const known = job.phase === "running" || isLast ? withLoss(given) : given;
  if (isLast)
    return { ...known, phase: "ended", conclusion: "lost", unseen: 0 };
  const machine = job.phase === "running" ? job.machine + 1 : job.machine;
  return byNewRun(plan, { ...known, machine });
}

/** Returns a different name for each request of a run. */
function runName(
  plan: string,
  job: string,
  machine: number,
  tries = 1,
): string {
  return `${job} of ${plan}${machine === 1 ? "" : ` on machine ${machine}`}${tries === 1 ? "" : `, try ${tries}`}`;
}
