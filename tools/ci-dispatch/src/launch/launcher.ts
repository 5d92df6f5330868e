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

type Limit = <Value>(call: () => Promise<Value>) => Promise<Value>;

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
  const { default: pLimit } = await import("p-limit");
  const launching = new Launching(start, options, pLimit(options.concurrency));
  await launching.keep(start);
  for (;;) {
    try {
      const end = await launching.step();
      if (end) return end;
    } catch (error) {
      await launching.wait(error);
    }
  }
}

/** A launch between its steps: its state, and the number of consecutive looks that failed. */
class Launching {
  #state: LaunchState;
  #failures = 0;
  readonly #options: LauncherOptions;
  readonly #limit: Limit;
  readonly #save: LauncherOptions["save"];

  constructor(state: LaunchState, options: LauncherOptions, limit: Limit) {
    this.#state = state;
    this.#options = options;
    this.#limit = limit;
    this.#save = openSaver(options.save);
  }

  /** Replaces the state, and saves it. */
  keep(next: LaunchState): Promise<void> {
    this.#state = next;
    return this.#save(next);
  }

  /**
   * Requests missing runs, looks at the existing ones, and waits.
   * @returns the end of the launch; undefined if another step is needed
   */
  async step(): Promise<Launched | undefined> {
    const { mustStop, signal, watch, pause, sleep } = this.#options;
    const why = await mustStop();
    if (why !== undefined) return this.#cancel(why);
    await this.#forEach("planned", (job) =>
      askFor(job, this.#state, (next) => this.#set(next), this.#options),
    );
    if (signal.aborted) return undefined;
    const isAsked = this.#state.jobs.every(({ phase }) => phase !== "planned");
    if (!watch && isAsked) return { state: this.#state, stopped: undefined };
    await this.#lookAtRuns();
    await this.#collectOver();
    this.#failures = 0;
    if (isSettled(this.#state))
      return { state: this.#state, stopped: undefined };
    await sleep(pause(this.#state), signal);
    return undefined;
  }

  /** Waits after an error that may pass. @throws the error if it can't pass, or came too often */
  async wait(error: unknown): Promise<void> {
    const { signal, pause, sleep, onEvent } = this.#options;
    if (!(error instanceof GitHubError)) throw error;
    // A rate limit that GitHub resets at a known time isn't a failure. But an aborted launch can't wait for it.
    if (!isRateLimit(error) || signal.aborted) this.#failures += 1;
    const mayPass = [...UNSURE, ...LATER].includes(error.kind);
    if (!mayPass || this.#failures >= MOST_FAILURES) throw error;
    const ms = pause(this.#state);
    onEvent({ kind: "waiting", why: error.message, ms });
    await sleep(ms, signal);
  }

  async #cancel(why: string): Promise<Launched> {
    const save = (next: LaunchState) => this.keep(next);
    await cancelAll(this.#state, why, { ...this.#options, save });
    return { state: this.#state, stopped: why };
  }

  #set(job: LaunchedJob): Promise<void> {
    const jobs = this.#state.jobs.map((each) =>
      each.job === job.job ? job : each,
    );
    return this.keep({ ...this.#state, jobs });
  }

  /** Calls a function for each job of a phase. It throws the first error after all calls have ended. */
  async #forEach(
    phase: LaunchedJob["phase"],
    body: (job: LaunchedJob) => Promise<void>,
  ): Promise<void> {
    const jobs = this.#state.jobs.filter((job) => job.phase === phase);
    const done = await Promise.allSettled(
      jobs.map((job) => this.#limit(() => body(job))),
    );
    for (const each of done) if (each.status === "rejected") throw each.reason;
  }

  /** Looks at all runs, and moves each job to the phase that its run shows. */
  async #lookAtRuns(): Promise<void> {
    const { github, repository, patience, onEvent } = this.#options;
    const seen = await look(this.#state, this.#options);
    for (const { id, title } of strays(this.#state, seen)) {
      await github.cancelRun(repository, id);
      onEvent({ kind: "stray", run: id, title });
    }
    const before = this.#state;
    await this.keep(reconcile(before, seen, patience));
    for (const event of changes(before, this.#state)) onEvent(event);
  }

  /** Collects the attestations of jobs whose runs are over, and decides how these jobs continue. */
  async #collectOver(): Promise<void> {
    const { collect, nextPhase, onEvent } = this.#options;
    const over = this.#state.jobs.filter(({ phase }) => phase === "over");
    const read = over.length > 0 ? await collect(over) : undefined;
    await this.#forEach("over", async (job) => {
      const next = nextPhase(job, (await read?.(job)) ?? []);
      await this.#set(next);
      for (const event of changesOf(job, next)) onEvent(event);
    });
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
