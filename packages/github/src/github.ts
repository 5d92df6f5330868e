import {
  downloadArtifact,
  readArtifacts,
  readNewestArtifacts,
} from "./artifacts.js";
import type { Artifact } from "./artifacts.js";
import { openClient, type GitHubOptions } from "./client.js";
import { publishCheckRun, type CheckRun } from "./check-runs.js";
import { editComment, readComments, writeComment } from "./comments.js";
import type { Comment } from "./comments.js";
import { readComparison, type Comparison } from "./comparisons.js";
import { cancelRun, dispatchWorkflow, rerunFailedJobs } from "./dispatches.js";
import type { Dispatch } from "./dispatches.js";
import type { RemoteFile } from "./files.js";
import { readBlob, readTopEntry, readTree } from "./git-objects.js";
import type { RemoteTreeEntry } from "./git-objects.js";
import {
  readOpenPullRequests,
  readPullRequest,
  readPullRequestFiles,
  readPullRequestsOf,
  type MergedPull,
  type OpenPullRequest,
  type PullRequest,
} from "./pull-requests.js";
import { readDefaultBranch, resolveRef } from "./repositories.js";
import type { PullRequestName, RepositoryName } from "./repository-name.js";
import {
  readWorkflowJobs,
  readWorkflowRun,
  readWorkflowRuns,
  type WorkflowJob,
  type WorkflowRun,
  type WorkflowRunQuery,
} from "./workflow-runs.js";

/**
 * GitHub, in our own nouns. This is a port: all code in Skein that needs GitHub takes one, which `main` creates.
 * Every method throws {@link GitHubError}, after the retries and waits that could have helped.
 */
export interface GitHub {
  defaultBranch(repository: RepositoryName): Promise<string>;
  /** Returns the commit that a branch, tag or id names; undefined if the name doesn't exist. */
  resolveRef(
    repository: RepositoryName,
    ref: string,
  ): Promise<string | undefined>;
  pullRequest(name: PullRequestName): Promise<PullRequest>;
  /** Returns open pull requests, oldest first. With `head`, only those from this branch of this owner. */
  openPullRequests(
    repository: RepositoryName,
    head?: { readonly owner: string; readonly branch: string },
  ): Promise<readonly OpenPullRequest[]>;
  /** Returns the merged pull requests that brought a commit into the default branch. */
  pullRequestsOf(
    repository: RepositoryName,
    commit: string,
  ): Promise<readonly MergedPull[]>;
  /** Returns all files that GitHub lists: at most 3,000. */
  pullRequestFiles(name: PullRequestName): Promise<readonly RemoteFile[]>;
  /** Compares as `git diff base...head` does; returns at most 300 files. */
  compare(
    repository: RepositoryName,
    base: string,
    head: string,
  ): Promise<Comparison>;
  /** Returns all files of a commit. */
  tree(
    repository: RepositoryName,
    commit: string,
  ): Promise<readonly RemoteTreeEntry[]>;
  /** Returns the id of a file or folder at the top of a commit; undefined if it has none of that name. */
  topEntry(
    repository: RepositoryName,
    entry: { readonly commit: string; readonly name: string },
  ): Promise<string | undefined>;
  blob(repository: RepositoryName, id: string): Promise<Buffer>;
  /** Yields runs, newest first, page by page. */
  workflowRuns(
    repository: RepositoryName,
    query: WorkflowRunQuery,
  ): AsyncGenerator<readonly WorkflowRun[], void, undefined>;
  workflowRun(
    repository: RepositoryName,
    id: number,
  ): Promise<WorkflowRun | undefined>;
  /** Returns the artifacts of all attempts of a run: all of them, or those of a name. */
  artifacts(
    repository: RepositoryName,
    run: number,
    name?: string,
  ): Promise<readonly Artifact[]>;
  /** Returns the newest 100 artifacts of all runs. */
  newestArtifacts(repository: RepositoryName): Promise<readonly Artifact[]>;
  /** Returns a zip archive. */
  artifact(repository: RepositoryName, id: number): Promise<Uint8Array>;
  /** Returns the jobs of the newest attempt. */
  workflowJobs(
    repository: RepositoryName,
    run: number,
  ): Promise<readonly WorkflowJob[]>;
  /** @returns the run's id; undefined if the server doesn't return it */
  dispatchWorkflow(
    repository: RepositoryName,
    dispatch: Dispatch,
  ): Promise<number | undefined>;
  /** Starts the next attempt of a finished run. */
  rerunFailedJobs(repository: RepositoryName, run: number): Promise<void>;
  cancelRun(repository: RepositoryName, run: number): Promise<void>;
  /** Returns the comments of the conversation, oldest first. */
  comments(name: PullRequestName): Promise<readonly Comment[]>;
  /** @returns the comment's id */
  writeComment(name: PullRequestName, body: string): Promise<number>;
  editComment(
    repository: RepositoryName,
    id: number,
    body: string,
  ): Promise<void>;
  /**
   * Publishes a check with all its annotations.
   * @returns the check's id
   */
  publishCheckRun(repository: RepositoryName, check: CheckRun): Promise<number>;
}

/** Opens GitHub. It loads no module and sends no request until a method is called. */
export function openGitHub(options: GitHubOptions = {}): GitHub {
  const client = openClient(options);
  return {
    defaultBranch: (repository) => readDefaultBranch(client, repository),
    resolveRef: (repository, ref) => resolveRef(client, repository, ref),
    pullRequest: (name) => readPullRequest(client, name),
    openPullRequests: (repository, head) =>
      readOpenPullRequests(client, repository, head),
    pullRequestsOf: (repository, commit) =>
      readPullRequestsOf(client, repository, commit),
    pullRequestFiles: (name) => readPullRequestFiles(client, name),
    compare: (repository, base, head) =>
      readComparison(client, repository, base, head),
    tree: (repository, commit) => readTree(client, repository, commit),
    topEntry: (repository, entry) => readTopEntry(client, repository, entry),
    blob: (repository, id) => readBlob(client, repository, id),
    workflowRuns: (repository, query) =>
      readWorkflowRuns(client, repository, query),
    workflowRun: (repository, id) => readWorkflowRun(client, repository, id),
    artifacts: (repository, run, name) =>
      readArtifacts(client, repository, run, name),
    newestArtifacts: (repository) => readNewestArtifacts(client, repository),
    artifact: (repository, id) => downloadArtifact(client, repository, id),
    workflowJobs: (repository, run) =>
      readWorkflowJobs(client, repository, run),
    dispatchWorkflow: (repository, dispatch) =>
      dispatchWorkflow(client, repository, dispatch),
    rerunFailedJobs: (repository, run) =>
      rerunFailedJobs(client, repository, run),
    cancelRun: (repository, run) => cancelRun(client, repository, run),
    comments: (name) => readComments(client, name),
    writeComment: (name, body) => writeComment(client, name, body),
    editComment: (repository, id, body) =>
      editComment(client, repository, id, body),
    publishCheckRun: (repository, check) =>
      publishCheckRun(client, repository, check),
  };
}
