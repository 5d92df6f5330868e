import type { Client } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/** A request to run a workflow. */
export interface Dispatch {
  /** The file name (`job.yml`) or number of the workflow. */
  readonly workflow: string | number;
  /** The branch or tag that the workflow file is read from. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Starts a workflow.
 * @returns the run's id; undefined if the server doesn't return it, as older Enterprise Servers
 * @throws {GitHubError} with `timeout`, `connection`, `server` or `broken-answer`, the workflow may have started anyway
 * @see https://docs.github.com/rest/actions/workflows#create-a-workflow-dispatch-event
 */
export async function dispatchWorkflow(
  client: Client,
  { owner, name }: RepositoryName,
  { workflow, ref, inputs }: Dispatch,
): Promise<number | undefined> {
  const send = (more: Readonly<Record<string, boolean>>) =>
    client.ask((octokit) =>
      octokit.request(
        "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches",
        { owner, repo: name, workflow_id: workflow, ref, inputs, ...more },
      ),
    );
  try {
    const answer: unknown = await send({ return_run_details: true });
    const id = (answer as { workflow_run_id?: unknown } | undefined)
      ?.workflow_run_id;
    return typeof id === "number" ? id : undefined;
  } catch (error) {
    // A server that doesn't support the field rejects the whole request, so no run has started.
    if (!(error instanceof GitHubError) || error.status !== 422) throw error;
    await send({});
    return undefined;
  }
}

/**
 * Cancels a run. It leaves a run that has already ended unchanged.
 * @throws {GitHubError}
 */
export async function cancelRun(
  client: Client,
  { owner, name }: RepositoryName,
  run: number,
): Promise<void> {
  try {
    await client.ask((octokit) =>
      octokit.rest.actions.cancelWorkflowRun({
        owner,
        repo: name,
        run_id: run,
      }),
    );
  } catch (error) {
    if (error instanceof GitHubError && error.status === 409) return;
    throw error;
  }
}

/**
 * Re-runs the failed jobs of a finished run, as its next attempt, on the same commit.
 * @throws {GitHubError} as {@link dispatchWorkflow}; `forbidden` or `refused` also if it is already running, is older
 *   than 30 days or has had 50 attempts
 * @see https://docs.github.com/rest/actions/workflow-runs#re-run-failed-jobs-from-a-workflow-run
 */
export async function rerunFailedJobs(
  client: Client,
  { owner, name }: RepositoryName,
  run: number,
): Promise<void> {
  await client.ask((octokit) =>
    octokit.rest.actions.reRunWorkflowFailedJobs({
      owner,
      repo: name,
      run_id: run,
    }),
  );
}
