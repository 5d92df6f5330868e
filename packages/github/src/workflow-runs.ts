import type { Client } from "./client.js";
import type { RepositoryName } from "./repository-name.js";

/** A run of a workflow; status and conclusion are those of its newest attempt. */
export interface WorkflowRun {
  readonly id: number;
  readonly commit: string;
  readonly branch: string | undefined;
  /** `owner/name` that the commit came from: another one for a pull request from a fork. */
  readonly headRepository: string | undefined;
  /** As the list shows it: `run-name` of the workflow, else the commit's or pull request's title. */
  readonly title: string;
  readonly event: string;
  readonly attempt: number;
  readonly status: string;
  readonly conclusion: string | undefined;
}

/** Which runs. Fields that are left out do not restrict. */
export interface WorkflowRunQuery {
  /** File name (`ci.yml`) or number of the workflow. */
  readonly workflow: string | number;
  readonly branch?: string;
  readonly event?: string;
  /** A status or a conclusion. */
  readonly status?: "success" | "failure" | "completed" | "in_progress";
  readonly commit?: string;
}

/**
 * Reads runs, newest first, a page of 100 at a time; GitHub lists no more than 1,000 of a restricted list.
 * `branch` is the name alone: a fork's `main` is listed beside ours.
 * @throws {GitHubError} `not-found` where there is no such workflow
 * @see https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
 */
export function readWorkflowRuns(
  client: Client,
  { owner, name }: RepositoryName,
  { workflow, branch, event, status, commit }: WorkflowRunQuery,
): AsyncGenerator<readonly WorkflowRun[], void, undefined> {
  return client.pages(
    (octokit, page) =>
      octokit.rest.actions.listWorkflowRuns({
        owner,
        repo: name,
        workflow_id: workflow,
        ...(branch !== undefined && { branch }),
        ...(event !== undefined && { event }),
        ...(status !== undefined && { status }),
        ...(commit !== undefined && { head_sha: commit }),
        // The runs' pull requests are long and not read.
        exclude_pull_requests: true,
        ...page,
      }),
    ({ workflow_runs }) =>
      workflow_runs.map((run) => ({
        id: run.id,
        title: run.display_title,
        commit: run.head_sha,
        branch: run.head_branch ?? undefined,
        headRepository: (run.head_repository as { full_name: string } | null)
          ?.full_name,
        event: run.event,
        attempt: run.run_attempt ?? 1,
        status: run.status ?? "unknown",
        conclusion: run.conclusion ?? undefined,
      })),
  );
}
