import { GitHubError } from "@skein/github";
import type { GitHub, GitHubErrorKind, RepositoryName } from "@skein/github";
import type { LaunchedJob, LaunchState } from "../launch.js";
import type { Found } from "../verdict/read-attestations.js";
import { cancelAll } from "./cancel.js";
import { changes, changesOf } from "./changes.js";
import type { Collect } from "./collect.js";
import type { LaunchEvent } from "./event.js";
import { look } from "./look.js";
import { byNewRun, isSettled, reconcile, strays } from "./reconcile.js";

export interface LauncherOptions {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Returns the milliseconds to wait between two polls. */
  readonly pause: (state: LaunchState) => number;
  /** The number of looks after which a run that hasn't appeared is lost. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Waits, and ends early if the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Saves the state. The launcher awaits it before it carries out what the state contains. */
  readonly save: (state: LaunchState) => Promise<void>;
  /** Prepares to collect the attestations of jobs whose runs are over. */
  readonly collect: (jobs: readonly LaunchedJob[]) => Promise<Collect>;
  /** Decides how a job continues, given its attestations. */
  readonly nextPhase: (
    job: LaunchedJob,
    found: readonly Found[],
  ) => LaunchedJob;
  /** Returns why everything must be cancelled; undefined if it needn't. */
  readonly mustStop: () => Promise<string | undefined>;
  /** If false, the launcher requests all runs and doesn't wait for them. */
  readonly watch: boolean;
  readonly onEvent: (event: LaunchEvent) => void;
}

/** Errors after which a run may have started, although there was no answer. */
const UNSURE: readonly GitHubErrorKind[] = [
  "timeout",
  "connection",
  "server",
  "broken-answer",
];
/** Errors after which nothing has started, and waiting may help. */
const LATER: readonly GitHubErrorKind[] = ["rate-limit", "secondary-limit"];
/** The maximum number of consecutive looks that fail, each after the client's own retries. */
const MOST_FAILURES = 10;

/** The end of a launch: all runs are over, or the reason why it stopped. */
export interface Launched {
  readonly state: LaunchState;
  readonly stopped: string | undefined;
}

/**
 * Requests a run for each job without one, looks at the existing runs, and repeats this until all jobs have ended. It
 * can be killed at any moment: it saves requests before it sends them, and results after it sees them.
 * @returns the last state; if it had to stop, all runs that were not over are cancelled
 * @throws {GitHubError} if GitHub refuses a request
 */
export async function launch(
  start: LaunchState,
  options: LauncherOptions,
): Promise<Launched> {
  const { save, sleep, signal, mustStop, onEvent } = options;
  let state = start;
  const saveNewest = openSaver(save);
  const keep = (next: LaunchState) => {
    state = next;
    return saveNewest(next);
  };
  const set = (job: LaunchedJob) =>
    keep({
      ...state,
      jobs: state.jobs.map((each) => (each.job === job.job ? job : each)),
    });
  const { default: pLimit } = await import("p-limit");
  const limit = pLimit(options.concurrency);
  /** Calls a function for each job of a phase. It throws the first error after all calls have ended. */
  const forEach = async (
    phase: LaunchedJob["phase"],
    body: (job: LaunchedJob) => Promise<void>,
  ) => {
    const jobs = state.jobs.filter((job) => job.phase === phase);
    const done = await Promise.allSettled(
      jobs.map((job) => limit(() => body(job))),
    );
    for (const each of done) if (each.status === "rejected") throw each.reason;
  };
  /** Looks at all runs, and moves each job to the phase that its run shows. */
  const lookAtRuns = async () => {
    const seen = await look(state, options);
    for (const { id, title } of strays(state, seen)) {
      await options.github.cancelRun(options.repository, id);
      onEvent({ kind: "stray", run: id, title });
    }
    const before = state;
    await keep(reconcile(state, seen, options.patience));
    for (const event of changes(before, state)) onEvent(event);
  };
  /** Collects the attestations of jobs whose runs are over, and decides how these jobs continue. */
  const collectOver = async () => {
    const over = state.jobs.filter(({ phase }) => phase === "over");
    const collect = over.length > 0 ? await options.collect(over) : undefined;
    await forEach("over", async (job) => {
      const next = options.nextPhase(job, (await collect?.(job)) ?? []);
      await set(next);
      for (const event of changesOf(job, next)) onEvent(event);
    });
  };
  await keep(state);
  for (let failures = 0; ;) {
    try {
      const why = await mustStop();
      if (why !== undefined) {
        await cancelAll(state, why, { ...options, save: keep });
        return { state, stopped: why };
      }
      await forEach("planned", (job) => askFor(job, state, set, options));
      if (signal.aborted) continue;
      const isAsked = state.jobs.every(({ phase }) => phase !== "planned");
      if (!options.watch && isAsked) return { state, stopped: undefined };
      await lookAtRuns();
      await collectOver();
      failures = 0;
      if (isSettled(state)) return { state, stopped: undefined };
      await sleep(options.pause(state), signal);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      // A rate limit that GitHub resets at a known time isn't a failure. But an aborted launch can't wait for it.
      if (!isRateLimit(error) || signal.aborted) failures += 1;
      const mayPass = [...UNSURE, ...LATER].includes(error.kind);
      if (!mayPass || failures >= MOST_FAILURES) throw error;
      const ms = options.pause(state);
      onEvent({ kind: "waiting", why: error.message, ms });
      await sleep(ms, signal);
    }
  }
}

/** Returns whether GitHub refuses requests until a known time. */
function isRateLimit({ kind, data }: GitHubError): boolean {
  return kind === "rate-limit" && data.resetAt !== undefined;
}

/**
 * Saves one state after the other. It combines states that arrive during a save, because the state of many jobs is
 * large.
 */
function openSaver(
  save: LauncherOptions["save"],
): (state: LaunchState) => Promise<void> {
  let newest: LaunchState;
  let saving = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return (state) => {
    newest = state;
    waiting ??= saving = saving.then(() => {
      waiting = undefined;
      return save(newest);
    });
    return waiting;
  };
}

async function askFor(
  job: LaunchedJob,
  { workflow, ref, plan, inputs }: LaunchState,
  set: (job: LaunchedJob) => Promise<void>,
  { github, repository, signal, onEvent }: LauncherOptions,
): Promise<void> {
  if (signal.aborted) return;
  const { id, machine, run: before } = job;
  const asked: LaunchedJob = { ...job, phase: "asked", unseen: 0 };
  await set(asked);
  const ask = async () => {
    if (before === null)
      return github.dispatchWorkflow(repository, {
        workflow,
        ref,
        inputs: {
          ...inputs,
          id,
          job: job.job,
          machine: String(machine),
          plan,
        },
      });
    await github.rerunFailedJobs(repository, before);
    return before;
  };
  try {
    const run = await ask();
    if (run !== undefined) await set({ ...asked, run });
    onEvent({ kind: "asked", job: job.job, machine, again: before !== null });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const why = error.kind;
    if (UNSURE.includes(why)) {
      onEvent({ kind: "unsure", job: job.job, why });
    } else if (before === null || LATER.includes(why)) {
      await set(job);
      throw error;
    } else {
      // GitHub also refuses if the run was already started again by someone else. The launcher then uses that attempt.
      const found = await github.workflowRun(repository, before);
      if (found && found.attempt >= job.attempt) return;
      onEvent({ kind: "refused", job: job.job, why });
      await set(byNewRun(plan, job));
    }
  }
}
