import type { Client } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/** A run of a workflow, with the status and conclusion of its newest attempt. */
export interface WorkflowRun {
  readonly id: number;
  readonly commit: string;
  readonly branch: string | undefined;
  /** `owner/name` of the commit's repository. It differs from the run's repository for a pull request from a fork. */
  readonly headRepository: string | undefined;
  /** The workflow's file, from the top of the repository. */
  readonly path: string;
  /**
   * The numbers of the repository's pull requests that GitHub links to the run. GitHub doesn't link those of a fork.
   * Undefined if they were not requested.
   */
  readonly pulls: readonly number[] | undefined;
  /** The title in the list: `run-name` of the workflow, else the title of the commit or pull request. */
  readonly title: string;
  readonly event: string;
  /** By GitHub's clock, in ISO 8601. */
  readonly created: string;
  readonly attempt: number;
  readonly status: string;
  readonly conclusion: string | undefined;
}

/** A job of a run. */
export interface WorkflowJob {
  /** The name in the workflow file, or `caller / job` for a called workflow. */
  readonly name: string;
  /** Undefined while it is not finished. */
  readonly conclusion: string | undefined;
}

/** A selection of runs. Missing fields select all. */
export interface WorkflowRunQuery {
  /** The file name (`ci.yml`) or number of the workflow. */
  readonly workflow: string | number;
  readonly branch?: string;
  readonly event?: string;
  /** A status or a conclusion. */
  readonly status?: "success" | "failure" | "completed" | "in_progress";
  readonly commit?: string;
  /** Created at this time or later, in ISO 8601. */
  readonly since?: string;
  /** Whether to ask for the runs' pull requests, which make the list long. Default: false. */
  readonly pulls?: boolean;
}

/**
 * Reads runs, newest first, in pages of 100. GitHub returns at most 1,000 runs of a filtered list. `branch` matches the
 * name only: a fork's `main` is listed next to ours.
 * @throws {GitHubError} `not-found` if the workflow doesn't exist
 * @see https://docs.github.com/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow
 */
export function readWorkflowRuns(
  client: Client,
  { owner, name }: RepositoryName,
  {
    workflow,
    branch,
    event,
    status,
    commit,
    since,
    pulls = false,
  }: WorkflowRunQuery,
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
        ...(since !== undefined && { created: `>=${since}` }),
        ...(!pulls && { exclude_pull_requests: true }),
        ...page,
      }),
    ({ workflow_runs }) => workflow_runs.map((run) => readRun(run, pulls)),
  );
}

/**
 * Reads one run.
 * @returns undefined if it doesn't exist, or no longer exists
 * @throws {GitHubError}
 */
export async function readWorkflowRun(
  client: Client,
  { owner, name }: RepositoryName,
  id: number,
): Promise<WorkflowRun | undefined> {
  try {
    const run = await client.ask((octokit) =>
      octokit.rest.actions.getWorkflowRun({
        owner,
        repo: name,
        run_id: id,
        exclude_pull_requests: true,
      }),
    );
    return readRun(run, false);
  } catch (error) {
    if (error instanceof GitHubError && error.kind === "not-found")
      return undefined;
    throw error;
  }
}

interface RunData {
  readonly id: number;
  readonly display_title: string;
  readonly head_sha: string;
  readonly head_branch: string | null;
  /** Null if the fork was deleted. */
  readonly head_repository: { readonly full_name: string } | null;
  readonly path: string;
  readonly repository: { readonly id: number };
  readonly pull_requests?:
    | readonly {
        readonly number: number;
        readonly base: { readonly repo: { readonly id: number } };
      }[]
    | null;
  readonly event: string;
  readonly created_at: string;
  readonly run_attempt?: number;
  readonly status: string | null;
  readonly conclusion: string | null;
}

function readRun(run: RunData, withPulls: boolean): WorkflowRun {
  return {
    id: run.id,
    title: run.display_title,
    commit: run.head_sha,
    branch: run.head_branch ?? undefined,
    headRepository: run.head_repository?.full_name,
    path: run.path,
    pulls: withPulls
      ? (run.pull_requests ?? [])
          // A branch can have a pull request in its fork's parent, too.
          .filter(({ base }) => base.repo.id === run.repository.id)
          .map(({ number }) => number)
      : undefined,
    event: run.event,
    created: run.created_at,
    attempt: run.run_attempt ?? 1,
    status: run.status ?? "unknown",
    conclusion: run.conclusion ?? undefined,
  };
}

/**
 * Reads the jobs of a run's newest attempt.
 * @throws {GitHubError} `not-found`
 * @see https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run
 */
export async function readWorkflowJobs(
  client: Client,
  { owner, name }: RepositoryName,
  run: number,
): Promise<readonly WorkflowJob[]> {
  const found: WorkflowJob[] = [];
  const pages = client.pages(
    (octokit, page) =>
      octokit.rest.actions.listJobsForWorkflowRun({
        owner,
        repo: name,
        run_id: run,
        ...page,
      }),
    ({ jobs }) =>
      jobs.map((job) => ({
        name: job.name,
        conclusion: job.conclusion ?? undefined,
      })),
  );
  for await (const page of pages) found.push(...page);
  return found;
}
