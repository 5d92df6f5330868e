export { openGitHub } from "./github.js";
export type { GitHub } from "./github.js";
export type { GitHubOptions, Usage } from "./client.js";
export { openRows } from "./rows.js";
export type { Answer, Query, Rows } from "./rows.js";
export { GitHubError } from "./errors.js";
export type { GitHubErrorData, GitHubErrorKind } from "./errors.js";
export { explainGitHubError } from "./words.js";
export type { ErrorWords } from "./words.js";
export {
  apiUrlOf,
  parsePullRequest,
  parseRemoteUrl,
  parseRepository,
  showRepository,
} from "./repository-name.js";
export type {
  PullRequestName,
  RemoteRepository,
  RepositoryName,
} from "./repository-name.js";
export { PULL_REQUEST_FILES_CAP } from "./pull-requests.js";
export type {
  MergedPull,
  OpenPullRequest,
  PullRequest,
  PullRequestEnd,
} from "./pull-requests.js";
export { COMPARISON_FILES_CAP } from "./comparisons.js";
export type { Comparison } from "./comparisons.js";
export type { FileStatus, RemoteFile } from "./files.js";
export type { RemoteTreeEntry } from "./git-objects.js";
export type { Artifact } from "./artifacts.js";
export type {
  WorkflowJob,
  WorkflowRun,
  WorkflowRunQuery,
} from "./workflow-runs.js";
export { ANNOTATION_BATCH, CHECK_SUMMARY_CAP } from "./check-runs.js";
export type { Annotation, CheckRun } from "./check-runs.js";
export { COMMENT_CAP } from "./comments.js";
export type { Comment } from "./comments.js";
export type { Dispatch } from "./dispatches.js";
