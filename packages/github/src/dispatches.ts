import type { Client } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/** A run of a workflow that is asked for. */
export interface Dispatch {
  /** File name (`job.yml`) or number of the workflow. */
  readonly workflow: string | number;
  /** Branch or tag whose workflow file it is. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Starts a workflow.
 * @returns the run's id; undefined where the server does not tell it, as older Enterprise Servers
 * @throws {GitHubError} after `timeout`, `connection`, `server` and `broken-answer` it may have started all the same
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
    // A server that does not know the field refuses the whole request, so nothing has started.
    if (!(error instanceof GitHubError) || error.status !== 422) throw error;
    await send({});
    return undefined;
  }
}

/** Cancels a run. One that has ended already is left as it is. @throws {GitHubError} */
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
 * Runs the failed jobs of a run that is over again, as its next attempt, on the same commit.
 * @throws {GitHubError} as {@link dispatchWorkflow}; `forbidden` or `refused` also where it runs already, after 30 days or 50 times
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
