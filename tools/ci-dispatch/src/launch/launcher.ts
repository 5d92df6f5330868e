import { GitHubError } from "@skein/github";
import type { GitHub, GitHubErrorKind, RepositoryName } from "@skein/github";
import type { LaunchedJob, LaunchState } from "../launch.js";
import type { Found } from "../verdict/read-attestations.js";
import { cancelAll } from "./cancel.js";
import { look } from "./look.js";
import { isSettled, reconcile, strays } from "./reconcile.js";

export interface LauncherOptions {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** Requests at the same time. */
  readonly concurrency: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** Looks after which a run that is not there is lost. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Keeps the state; awaited before what it says is done. */
  readonly save: (state: LaunchState) => Promise<void>;
  /** Reads what the machine of a job attests whose run is over. */
  readonly collect: (job: LaunchedJob) => Promise<readonly Found[]>;
  /** Decides what becomes of it. */
  readonly settle: (job: LaunchedJob, found: readonly Found[]) => LaunchedJob;
  /** Why everything is to be cancelled; undefined where it is not. */
  readonly mustStop: () => Promise<string | undefined>;
  /** False: everything is asked for, and nothing awaited. */
  readonly watch: boolean;
  readonly tell: (line: string) => void;
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
  const { save, sleep, interval, signal, mustStop, tell } = options;
  let state = start;
  let saving = Promise.resolve();
  // One after another: two that write at once would write into each other's file.
  const keep = (next: LaunchState) => {
    state = next;
    saving = saving.then(() => save(next));
    return saving;
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
        tell(
          `cancelled a run that was given up, and came all the same: ${title}`,
        );
      }
      await keep(reconcile(state, seen, options.patience));
      await forEach("over", async (job) => {
        const next = options.settle(job, await options.collect(job));
        if (next.phase !== "over")
          tell(
            `${job.job} ${job.conclusion ?? "ended"}${next.phase === "planned" ? "; asked for on another machine" : ""}`,
          );
        await set(next);
      });
      failures = 0;
      if (isSettled(state)) return { state, stopped: undefined };
    } catch (error) {
      const mayPass =
        error instanceof GitHubError &&
        [...UNSURE, ...LATER].includes(error.kind) &&
        ++failures < MOST_FAILURES;
      if (!mayPass) throw error;
      tell(`${error.message}; looking again`);
    }
    await sleep(interval, signal);
  }
}

async function askFor(
  job: LaunchedJob,
  { workflow, ref, plan, inputs }: LaunchState,
  set: (job: LaunchedJob) => Promise<void>,
  { github, repository, signal, tell }: LauncherOptions,
): Promise<void> {
  if (signal.aborted) return;
  const asked: LaunchedJob = { ...job, phase: "asked", unseen: 0 };
  await set(asked);
  try {
    const run = await github.dispatchWorkflow(repository, {
      workflow,
      ref,
      inputs: {
        ...inputs,
        id: job.id,
        job: job.job,
        machine: String(job.machine),
        plan,
      },
    });
    if (run !== undefined) await set({ ...asked, phase: "running", run });
    tell(`asked for ${job.job}`);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (UNSURE.includes(error.kind)) {
      tell(`${job.job} may have started (${error.kind}); looking for it`);
      return;
    }
    await set(job);
    throw error;
  }
}
