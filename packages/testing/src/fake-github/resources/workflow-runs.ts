import { recordedRuns } from "../delivery-runs.js";
import { notFound, paged, type ApiRequest, type Route } from "../http.js";
import type { FakeAttempt, FakeRepository, FakeRun } from "../state.js";
import { describeRepository } from "./repositories.js";

/** The maximum number of runs in a filtered list. */
const FILTERED_CAP = 1000;

/** Describes a run, as of its newest attempt or of an earlier one. */
export function describeRun(
  run: FakeRun,
  { repository, state }: ApiRequest,
  attempt: FakeAttempt = run,
) {
  const { url: at, page } = repository;
  const actions = `${at}/actions`;
  const url = `${actions}/runs/${run.id}`;
  const head =
    state.repositories.get(run.headRepository.toLowerCase()) ??
    forkOf(run.headRepository, repository);
  return {
    id: run.id,
    node_id: `WFR_${run.id}`,
    name: run.name,
    path: run.path,
    workflow_id: run.workflowId,
    check_suite_id: run.id,
    check_suite_node_id: `CS_${run.id}`,
    display_title: run.title,
    head_branch: run.headBranch,
    head_sha: run.headSha,
    head_commit: null,
    run_number: run.runNumber,
    run_attempt: attempt.runAttempt,
    previous_attempt_url:
      attempt.runAttempt > 1
        ? `${url}/attempts/${attempt.runAttempt - 1}`
        : null,
    event: run.event,
    status: attempt.status,
    conclusion: attempt.conclusion,
    created_at: run.createdAt,
    updated_at: attempt.updatedAt,
    run_started_at: attempt.startedAt,
    url,
    html_url: `${page}/actions/runs/${run.id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    check_suite_url: `${at}/check-suites/${run.id}`,
    workflow_url: `${actions}/workflows/${run.workflowId}`,
    pull_requests: run.pulls.map((number) => {
      const repo = { id: repository.id, url: at, name: repository.name };
      return {
        id: number,
        number,
        url: `${at}/pulls/${number}`,
        head: { ref: run.headBranch, sha: run.headSha, repo },
        base: { ref: repository.defaultBranch, sha: run.headSha, repo },
      };
    }),
    repository: describeRepository(repository),
    head_repository: describeRepository(head),
  };
}

/** Returns a fork that exists only in a run. */
function forkOf(fullName: string, { url, page, ...origin }: FakeRepository) {
  const [owner = "", name = ""] = fullName.split("/");
  const of = (address: string) => address.replace(origin.fullName, fullName);
  const own = { owner, name, fullName, url: of(url), page: of(page) };
  return { ...origin, ...own, fork: true };
}

/** Returns a filter for `created`: `A..B`, including both ends with a precision of seconds, or `>=A`. */
function createdAsked({ query }: ApiRequest): (at: number) => boolean {
  const created = query.get("created") ?? "";
  const [from = "", to = ""] = created.replace(/^>=/, "").split("..");
  const start = from === "" ? -Infinity : Date.parse(from);
  const end = to === "" ? Infinity : Date.parse(to) + 999;
  return (at) => at >= start && at <= end;
}

/** Returns the requested runs, newest first. `status` matches the run's status or its conclusion. */
function runsAsked(request: ApiRequest, runs: readonly FakeRun[]): FakeRun[] {
  const is = (name: string, ...values: (string | null)[]) => {
    const asked = request.query.get(name);
    return asked === null || values.includes(asked);
  };
  const wanted = createdAsked(request);
  return runs
    .filter(
      (run) =>
        wanted(Date.parse(run.createdAt)) &&
        is("branch", run.headBranch) &&
        is("event", run.event) &&
        is("head_sha", run.headSha) &&
        is("status", run.status, run.conclusion),
    )
    .reverse();
}

function answerRuns(request: ApiRequest, runs: readonly FakeRun[]) {
  const isLate = new Set(runs.filter((run) => run.appearsAfter-- > 0));
  const asked = runsAsked(
    request,
    runs.filter((run) => !isLate.has(run) || run.earlier.length > 0),
  );
  const restricts = ["branch", "created", "event", "head_sha", "status"];
  const filtered = restricts.some((name) => request.query.has(name));
  const { items, headers } = paged(request, asked, {
    cap: filtered ? FILTERED_CAP : Infinity,
  });
  return {
    headers,
    body: {
      total_count: asked.length,
      workflow_runs: items.map((run) =>
        describeRun(run, request, isLate.has(run) ? run.earlier.at(-1) : run),
      ),
    },
  };
}

/** Lists of runs. */
export const workflowRuns: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/actions/runs",
    permission: "actions",
    answer(request) {
      const { repository } = request;
      const runs = [
        ...repository.runs,
        ...recordedRuns(repository, createdAsked(request)),
      ];
      return answerRuns(request, runs);
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
    permission: "actions",
    answer(request) {
      const { repository } = request;
      const asked = request.params["workflow_id"] ?? "";
      const workflow = repository.workflows.find(
        ({ id, path }) => String(id) === asked || path.endsWith(`/${asked}`),
      );
      if (!workflow) throw notFound();
      const runs = repository.runs.filter(
        ({ workflowId }) => workflowId === workflow.id,
      );
      return answerRuns(request, runs);
    },
  },
];
