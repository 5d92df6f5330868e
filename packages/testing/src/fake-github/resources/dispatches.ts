import { addRun } from "../add.js";
import type { ApiRequest, Route } from "../http.js";
import { ApiError } from "../http.js";
import type { FakeRepository, State } from "../state.js";
import { repositoryOf } from "./repositories.js";

interface DispatchBody {
  readonly ref?: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly return_run_details?: unknown;
}

function start(request: ApiRequest, state: State, repository: FakeRepository) {
  const file = request.params["workflow_id"] ?? "";
  const { ref, inputs = {}, ...more } = (request.body ?? {}) as DispatchBody;
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
    answer(request, state) {
      const repository = repositoryOf(request, state);
      const run = start(request, state, repository);
      const asked = (request.body as DispatchBody).return_run_details === true;
      return asked
        ? {
            status: 200,
            body: {
              workflow_run_id: run.id,
              run_url: `${state.url}/repos/${repository.fullName}/actions/runs/${run.id}`,
              html_url: `https://github.com/${repository.fullName}/actions/runs/${run.id}`,
            },
          }
        : { status: 204 };
    },
  },
];
