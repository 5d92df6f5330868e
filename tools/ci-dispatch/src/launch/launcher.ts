import { GitHubError } from "@skein/github";
import type { GitHub, GitHubErrorKind, RepositoryName } from "@skein/github";
import type { LaunchedJob, LaunchState, SeenRun } from "../launch.js";
import { isSettled, reconcile } from "./reconcile.js";

export interface LauncherOptions {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** Requests for a start at the same time. */
  readonly concurrency: number;
  /** Milliseconds between two looks. */
  readonly interval: number;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  /** Keeps the state; awaited before what it says is done. */
  readonly save: (state: LaunchState) => Promise<void>;
  readonly tell: (line: string) => void;
}

/** After these a run may have started, although no answer came. */
const UNSURE: readonly GitHubErrorKind[] = [
  "timeout",
  "connection",
  "server",
  "broken-answer",
];

/**
 * Asks for every job that is not there, looks what is, and so on until they agree. It can be killed at any moment: what
 * is about to be asked for is saved before, what is seen after.
 * @returns the last state; when the signal is aborted, with every run that was not over cancelled
 * @throws {GitHubError} when GitHub refuses
 */
export async function launch(
  start: LaunchState,
  options: LauncherOptions,
): Promise<LaunchState> {
  const { save, signal, sleep, interval } = options;
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
  for (;;) {
    const planned = state.jobs.filter(({ phase }) => phase === "planned");
    const asked = await Promise.allSettled(
      planned.map((job) => limit(() => askFor(job, state, set, options))),
    );
    for (const each of asked) if (each.status === "rejected") throw each.reason;
    if (signal.aborted) {
      await cancelAll(state, options);
      return state;
    }
    await keep(reconcile(state, await look(state, options)));
    if (isSettled(state)) return state;
    await sleep(interval);
  }
}

async function askFor(
  job: LaunchedJob,
  { workflow, ref, plan }: LaunchState,
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
      inputs: { id: job.id, job: job.job, plan },
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

/** One list for all runs: the newest of the workflow, as many pages as it takes to see all that are under way. */
async function look(
  state: LaunchState,
  { github, repository }: LauncherOptions,
): Promise<readonly SeenRun[]> {
  const missing = new Set(
    state.jobs
      .filter(({ phase }) => phase === "asked" || phase === "running")
      .map(({ id }) => id),
  );
  const ids = new Map(
    state.jobs.flatMap(({ run, id }) => (run === null ? [] : [[run, id]])),
  );
  const seen: SeenRun[] = [];
  if (missing.size === 0) return seen;
  const pages = github.workflowRuns(repository, {
    workflow: state.workflow,
    event: "workflow_dispatch",
  });
  for await (const page of pages) {
    for (const { id, title, conclusion } of page) {
      seen.push({ id, title, conclusion });
      missing.delete(title);
      missing.delete(ids.get(id) ?? "");
    }
    if (missing.size === 0) break;
  }
  return seen;
}

async function cancelAll(
  state: LaunchState,
  options: LauncherOptions,
): Promise<void> {
  const { github, repository, save, tell } = options;
  // What was just asked for may be there by now.
  const known = reconcile(state, await look(state, options));
  await save(known);
  for (const { job, run, phase } of known.jobs) {
    if (phase !== "running" || run === null) continue;
    await github.cancelRun(repository, run);
    tell(`cancelled ${job}`);
  }
}
