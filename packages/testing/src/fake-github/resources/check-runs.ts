import { ApiError, notFound, type ApiRequest, type Route } from "../http.js";
import type { FakeCheckRun, FakeRepository } from "../state.js";

/** The maximum number of annotations that GitHub accepts in one request. */
const BATCH = 50;
/** The maximum length of a summary that GitHub accepts. */
const SUMMARY_CAP = 65_535;

/** A fixed time, because the fake has no clock. */
const STARTED = "2026-01-01T00:00:00Z";

interface CheckBody {
  readonly name?: unknown;
  readonly head_sha?: unknown;
  readonly status?: unknown;
  readonly conclusion?: unknown;
  readonly output?: {
    readonly title?: unknown;
    readonly summary?: unknown;
    readonly annotations?: readonly Record<string, unknown>[];
  };
}

const FIELDS = [
  "path",
  "start_line",
  "end_line",
  "annotation_level",
  "message",
];

/** Applies a request to a check, with GitHub's validation. */
function apply(check: FakeCheckRun, { body }: ApiRequest): void {
  const { status, conclusion, output } = body as CheckBody;
  const invalid = new ApiError(422, "Validation Failed");
  if (output) {
    const { title, summary, annotations = [] } = output;
    if (typeof title !== "string" || typeof summary !== "string") throw invalid;
    if (summary.length > SUMMARY_CAP || annotations.length > BATCH)
      throw invalid;
    if (annotations.some((each) => FIELDS.some((field) => !(field in each))))
      throw invalid;
    check.title = title;
    check.summary = summary;
    check.annotations.push(...annotations);
  }
  // A conclusion completes the check, whatever its status is.
  if (typeof conclusion === "string") check.conclusion = conclusion;
  check.status =
    check.conclusion === null
      ? typeof status === "string"
        ? status
        : "queued"
      : "completed";
}

function describeCheck(check: FakeCheckRun, repository: FakeRepository) {
  const url = `${repository.url}/check-runs/${check.id}`;
  const page = `${repository.page}/runs/${check.id}`;
  return {
    id: check.id,
    node_id: `CR_${check.id}`,
    external_id: null,
    name: check.name,
    head_sha: check.headSha,
    status: check.status,
    conclusion: check.conclusion,
    started_at: STARTED,
    completed_at: check.status === "completed" ? STARTED : null,
    url,
    html_url: page,
    details_url: page,
    check_suite: null,
    app: null,
    pull_requests: [],
    output: {
      title: check.title,
      summary: check.summary,
      text: null,
      annotations_count: check.annotations.length,
      annotations_url: `${url}/annotations`,
    },
  };
}

/** Checks of commits: create and update. */
export const checkRuns: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/check-runs",
    permission: "checks=write",
    answer(request) {
      const { repository } = request;
      const { name, head_sha } = (request.body ?? {}) as CheckBody;
      if (typeof name !== "string" || typeof head_sha !== "string")
        throw new ApiError(422, "Validation Failed");
      const check: FakeCheckRun = {
        id: request.state.nextId(),
        name,
        headSha: head_sha,
        status: "queued",
        conclusion: null,
        title: "",
        summary: "",
        annotations: [],
      };
      apply(check, request);
      repository.checkRuns.push(check);
      return { status: 201, body: describeCheck(check, repository) };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    permission: "checks=write",
    answer(request) {
      const { repository } = request;
      const check = repository.checkRuns.find(
        ({ id }) => String(id) === request.params["check_run_id"],
      );
      if (!check) throw notFound();
      apply(check, request);
      return { body: describeCheck(check, repository) };
    },
  },
];
