import { addRun } from "../add.js";
import { ApiError, type ApiRequest, type Route } from "../http.js";

interface DispatchBody {
  readonly ref?: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly return_run_details?: unknown;
}

function start({ params, body, state, repository }: ApiRequest) {
  const file = params["workflow_id"] ?? "";
  const { ref, inputs = {}, ...more } = (body ?? {}) as DispatchBody;
  const { runDetails, appearsAfter } = repository.dispatching;
  if (typeof ref !== "string") throw new ApiError(422, "Validation Failed");
  if (!runDetails && "return_run_details" in more)
    throw new ApiError(422, "return_run_details is not a permitted key");
  const run = addRun(state, repository, {
    path: `.github/workflows/${file}`,
    event: "workflow_dispatch",
    headSha: "0".repeat(40),
    headBranch: ref,
    status: "queued",
    conclusion: null,
  });
  // The title that `run-name: ${{ inputs.id }}` sets in the workflow.
  run.title = inputs["id"] ?? run.name;
  run.inputs = inputs;
  run.appearsAfter = appearsAfter;
  return run;
}

/** Starts of workflows. */
export const dispatches: readonly Route[] = [
  {
    operation:
      "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches",
    permission: "actions=write",
    answer(request) {
      const { repository } = request;
      const run = start(request);
      const asked = (request.body as DispatchBody).return_run_details === true;
      return asked
        ? {
            body: {
              workflow_run_id: run.id,
              run_url: `${repository.url}/actions/runs/${run.id}`,
              html_url: `${repository.page}/actions/runs/${run.id}`,
            },
          }
        : { status: 204 };
    },
  },
];
