import { notFound, paged, type ApiRequest, type Route } from "../http.js";
import type { FakeJob, FakeRepository, FakeRun } from "../state.js";
import { runOf } from "./runs.js";

function describeJob(
  job: FakeJob,
  run: FakeRun,
  { url, page }: FakeRepository,
) {
  return {
    id: job.id,
    node_id: `J_${job.id}`,
    run_id: run.id,
    run_url: `${url}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    head_sha: run.headSha,
    head_branch: run.headBranch,
    workflow_name: run.name,
    name: job.name,
    status: job.status,
    conclusion: job.conclusion,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    url: `${url}/actions/jobs/${job.id}`,
    html_url: `${page}/actions/runs/${run.id}/job/${job.id}`,
    check_run_url: `${url}/check-runs/${job.id}`,
    steps: [],
    labels: ["ubuntu-latest"],
    runner_id: job.runnerName === null ? null : 1,
    runner_name: job.runnerName,
    runner_group_id: job.runnerName === null ? null : 1,
    runner_group_name: job.runnerName === null ? null : "GitHub Actions",
  };
}

function listJobs(request: ApiRequest, which: (job: FakeJob) => boolean) {
  const { repository } = request;
  const run = runOf(request);
  const found = run.jobs.filter(which);
  const { items, headers } = paged(request, found);
  return {
    headers,
    body: {
      total_count: found.length,
      jobs: items.map((job) => describeJob(job, run, repository)),
    },
  };
}

/** Jobs of runs. */
export const jobs: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
    permission: "actions",
    answer(request) {
      const { runAttempt } = runOf(request);
      const isAll = request.query.get("filter") === "all";
      return listJobs(
        request,
        ({ attempt }) => isAll || attempt === runAttempt,
      );
    },
  },
  {
    operation:
      "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
    permission: "actions",
    answer: (request) =>
      listJobs(
        request,
        ({ attempt }) => String(attempt) === request.params["attempt_number"],
      ),
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/jobs/{job_id}",
    permission: "actions",
    answer(request) {
      const { repository } = request;
      for (const run of repository.runs)
        for (const job of run.jobs)
          if (String(job.id) === request.params["job_id"])
            return {
              body: describeJob(job, run, repository),
            };
      throw notFound();
    },
  },
];
