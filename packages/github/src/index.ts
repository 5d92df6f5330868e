export { openGitHub } from "./github.js";
export type { GitHub } from "./github.js";
export type { GitHubOptions, Usage } from "./client.js";
export { openRows } from "./rows.js";
export type { Answer, Query, Rows } from "./rows.js";
export { GitHubError } from "./errors.js";
export type { GitHubErrorKind } from "./errors.js";
export { explainGitHubError } from "./words.js";
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
export type { MergedPull, PullRequest } from "./pull-requests.js";
export { COMPARISON_FILES_CAP } from "./comparisons.js";
export type { Comparison } from "./comparisons.js";
export type { FileStatus, RemoteFile } from "./files.js";
export type { Artifact } from "./artifacts.js";
export type { WorkflowRun } from "./workflow-runs.js";
export { CHECK_SUMMARY_CAP } from "./check-runs.js";
export type { Annotation } from "./check-runs.js";
export { COMMENT_CAP } from "./comments.js";
export type { Comment } from "./comments.js";
