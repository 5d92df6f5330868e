import { addJob } from "../add.js";
import { recordedRun } from "../delivery-runs.js";
import type { Answer, ApiRequest, Route } from "../http.js";
import { ApiError, notFound } from "../http.js";
import type { FakeRun } from "../state.js";
import { describeRun } from "./workflow-runs.js";

/**
 * Returns the run of a request.
 * @throws a 404 if it doesn't exist or was deleted
 */
export function runOf({ repository, params }: ApiRequest): FakeRun {
  const asked = params["run_id"];
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
 */
function rerun(
  request: ApiRequest,
  which: (conclusion: string | null) => boolean,
): Answer {
  const run = runOf(request);
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
  run.appearsAfter = request.repository.dispatching.appearsAfter;
  for (const { name } of again)
    addJob(request.state, run, { name, status: "queued", runnerName: null });
  return { status: 201, body: {} };
}

function cancel(request: ApiRequest): Answer {
  const run = runOf(request);
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
    answer(request) {
      const run = runOf(request);
      return { body: describeRun(run, request) };
    },
  },
  {
    operation: `GET ${RUN}/attempts/{attempt_number}`,
    permission: "actions",
    answer(request) {
      const run = runOf(request);
      const asked = Number(request.params["attempt_number"]);
      const attempt = [...run.earlier, run].find(
        ({ runAttempt }) => runAttempt === asked,
      );
      if (!attempt) throw notFound();
      return {
        body: describeRun(run, request, attempt),
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
    answer: (request) => rerun(request, () => true),
  },
  {
    operation: `POST ${RUN}/rerun-failed-jobs`,
    permission: "actions=write",
    answer: (request) =>
      rerun(
        request,
        (conclusion) => conclusion !== "success" && conclusion !== "skipped",
      ),
  },
];
