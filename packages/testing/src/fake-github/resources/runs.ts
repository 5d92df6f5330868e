import { addJob } from "../add.js";
import { recordedRun } from "../delivery-runs.js";
import type { ApiRequest, Route } from "../http.js";
import { ApiError, notFound } from "../http.js";
import type { FakeRun, State } from "../state.js";
import { repositoryOf } from "./repositories.js";
import { describeRun } from "./workflow-runs.js";

/**
 * Returns the run of a request.
 * @throws a 404 if it doesn't exist or was deleted
 */
export function runOf(request: ApiRequest, state: State): FakeRun {
  const repository = repositoryOf(request, state);
  const asked = request.params["run_id"];
  const run =
    repository.runs.find(({ id }) => String(id) === asked) ??
    recordedRun(repository, Number(asked));
  if (!run) throw notFound();
  return run;
}

/** See https://docs.github.com/actions/reference/limits */
const MOST_RERUNS = 50;

/**
 * Starts the next attempt of a run, with the selected jobs.
 * @param appearsAfter the number of lists that still show the previous attempt
 */
function rerun(
  run: FakeRun,
  state: State,
  appearsAfter: number,
  which: (conclusion: string | null) => boolean,
): void {
  if (run.status !== "completed")
    throw new ApiError(403, "This workflow is already running");
  if (run.runAttempt > MOST_RERUNS || !which(run.conclusion))
    throw new ApiError(403, "This workflow run cannot be retried");
  const { runAttempt, status, conclusion, startedAt, updatedAt } = run;
  run.earlier.push({ runAttempt, status, conclusion, startedAt, updatedAt });
  const again = run.jobs.filter(
    (job) => job.attempt === runAttempt && which(job.conclusion),
  );
  run.runAttempt++;
  run.status = "queued";
  run.conclusion = null;
  run.appearsAfter = appearsAfter;
  for (const { name } of again)
    addJob(state, run, { name, status: "queued", runnerName: null });
}

function cancel(request: ApiRequest, state: State) {
  const run = runOf(request, state);
  if (run.status === "completed")
    throw new ApiError(409, "Cannot cancel a workflow run that is completed.");
  run.status = "completed";
  run.conclusion = "cancelled";
  for (const job of run.jobs) {
    if (job.status === "completed") continue;
    job.status = "completed";
    job.conclusion = "cancelled";
    job.completedAt = run.updatedAt;
  }
  return { status: 202, body: {} };
}

const RUN = "/repos/{owner}/{repo}/actions/runs/{run_id}";

/** Operations on one run: read, cancel, re-run. */
export const runs: readonly Route[] = [
  {
    operation: `GET ${RUN}`,
    permission: "actions",
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const run = runOf(request, state);
      return { status: 200, body: describeRun(run, repository, state) };
    },
  },
  {
    operation: `GET ${RUN}/attempts/{attempt_number}`,
    permission: "actions",
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const run = runOf(request, state);
      const asked = Number(request.params["attempt_number"]);
      const attempt = [...run.earlier, run].find(
        ({ runAttempt }) => runAttempt === asked,
      );
      if (!attempt) throw notFound();
      return {
        status: 200,
        body: describeRun(run, repository, state, attempt),
      };
    },
  },
  {
    operation: `POST ${RUN}/cancel`,
    permission: "actions=write",
    answer: cancel,
  },
  {
    operation: `POST ${RUN}/force-cancel`,
    permission: "actions=write",
    answer: cancel,
  },
  {
    operation: `POST ${RUN}/rerun`,
    permission: "actions=write",
    answer(request, state) {
      const { dispatching } = repositoryOf(request, state);
      const { appearsAfter } = dispatching;
      rerun(runOf(request, state), state, appearsAfter, () => true);
      return { status: 201, body: {} };
    },
  },
  {
    operation: `POST ${RUN}/rerun-failed-jobs`,
    permission: "actions=write",
    answer(request, state) {
      const { dispatching } = repositoryOf(request, state);
      rerun(
        runOf(request, state),
        state,
        dispatching.appearsAfter,
        (conclusion) => conclusion !== "success" && conclusion !== "skipped",
      );
      return { status: 201, body: {} };
    },
  },
];
