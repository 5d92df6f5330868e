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
  /** Requests at the same time. */
  readonly concurrency: number;
  /** How long to wait between two looks; milliseconds. */
  readonly pause: (state: LaunchState) => number;
  /** Looks after which a run that is not there is lost. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Keeps the state; awaited before what it says is done. */
  readonly save: (state: LaunchState) => Promise<void>;
  /** Prepares for reading what the machines of jobs attest whose runs are over. */
  readonly collect: (jobs: readonly LaunchedJob[]) => Promise<Collect>;
  /** Decides what becomes of it. */
  readonly settle: (job: LaunchedJob, found: readonly Found[]) => LaunchedJob;
  /** Why everything is to be cancelled; undefined where it is not. */
  readonly mustStop: () => Promise<string | undefined>;
  /** False: everything is asked for, and nothing awaited. */
  readonly watch: boolean;
  readonly tell: (event: LaunchEvent) => void;
}

/** After these a run may have started, although no answer came. */
const UNSURE: readonly GitHubErrorKind[] = [
  "timeout",
  "connection",
  "server",
  "broken-answer",
];
/** After these nothing has started, and waiting may help. */
const LATER: readonly GitHubErrorKind[] = ["rate-limit", "secondary-limit"];
/** Looks that may fail one after another, each of them after the client's own retries. */
const MOST_FAILURES = 10;

/** How it ended: with every run over, or why not. */
export interface Launched {
  readonly state: LaunchState;
  readonly stopped: string | undefined;
}

/**
 * Asks for every job that is not there, looks what is, and so on until they agree. It can be killed at any moment: what
 * is about to be asked for is saved before, what is seen after.
 * @returns the last state; where it had to stop, with every run that was not over cancelled
 * @throws {GitHubError} when GitHub refuses
 */
export async function launch(
  start: LaunchState,
  options: LauncherOptions,
): Promise<Launched> {
  const { save, sleep, signal, mustStop, tell } = options;
  let state = start;
  let saving = Promise.resolve();
  let waiting: Promise<void> | undefined;
  // One after another, and what comes meanwhile together: a state of many jobs is long.
  const keep = (next: LaunchState) => {
    state = next;
    waiting ??= saving = saving.then(() => {
      waiting = undefined;
      return save(state);
    });
    return waiting;
  };
  const set = (job: LaunchedJob) =>
    keep({
      ...state,
      jobs: state.jobs.map((each) => (each.job === job.job ? job : each)),
    });
  const { default: pLimit } = await import("p-limit");
  const limit = pLimit(options.concurrency);
  /** Does something for each job of a phase; the first error only when all are done. */
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
      if (
        !options.watch &&
        state.jobs.every(({ phase }) => phase !== "planned")
      )
        return { state, stopped: undefined };
      const seen = await look(state, options);
      for (const { id, title } of strays(state, seen)) {
        await options.github.cancelRun(options.repository, id);
        tell({ kind: "stray", run: id, title });
      }
      const before = state;
      await keep(reconcile(state, seen, options.patience));
      for (const event of changes(before, state)) tell(event);
      const over = state.jobs.filter(({ phase }) => phase === "over");
      const collect = over.length > 0 ? await options.collect(over) : undefined;
      await forEach("over", async (job) => {
        const next = options.settle(job, (await collect?.(job)) ?? []);
        await set(next);
        for (const event of changesOf(job, next)) tell(event);
      });
      failures = 0;
      if (isSettled(state)) return { state, stopped: undefined };
      await sleep(options.pause(state), signal);
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const { kind, data } = error;
      // What GitHub itself gives back at a time that it tells is no failure; but who is to end cannot wait for it.
      const isUsedUp =
        kind === "rate-limit" && data.resetAt !== undefined && !signal.aborted;
      const mayPass = [...UNSURE, ...LATER].includes(kind);
      if (!mayPass || (!isUsedUp && ++failures >= MOST_FAILURES)) throw error;
      const ms = options.pause(state);
      tell({ kind: "waiting", why: error.message, ms });
      await sleep(ms, signal);
    }
  }
}

async function askFor(
  job: LaunchedJob,
  { workflow, ref, plan, inputs }: LaunchState,
  set: (job: LaunchedJob) => Promise<void>,
  { github, repository, signal, tell }: LauncherOptions,
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
    tell({ kind: "asked", job: job.job, machine, again: before !== null });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const why = error.kind;
    if (UNSURE.includes(why)) {
      tell({ kind: "unsure", job: job.job, why });
    } else if (before === null || LATER.includes(why)) {
      await set(job);
      throw error;
    } else {
      // It is refused, too, where somebody was quicker and it runs already: that one is looked for.
      const found = await github.workflowRun(repository, before);
      if (found && found.attempt >= job.attempt) return;
      tell({ kind: "refused", job: job.job, why });
      await set(byNewRun(plan, job));
    }
  }
}
