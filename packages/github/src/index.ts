export { openGitHub, type GitHub } from "./github.js";
export type { GitHubOptions, Usage } from "./client.js";
export { openRows, type Answer, type Query, type Rows } from "./rows.js";
export { GitHubError, type GitHubErrorKind, unlessNotFound } from "./errors.js";
export { explainGitHubError } from "./words.js";
export {
  apiUrlOf,
  parsePullRequest,
  parseRemoteUrl,
  parseRepository,
  showRepository,
  type PullRequestName,
  type RemoteRepository,
  type RepositoryName,
} from "./repository-name.js";
export { PULL_REQUEST_FILES_CAP } from "./pull-requests.js";
export type { MergedPull, PullRequest } from "./pull-requests.js";
export { COMPARISON_FILES_CAP, type Comparison } from "./comparisons.js";
export type { FileStatus, RemoteFile } from "./files.js";
export type { Artifact } from "./artifacts.js";
export type { WorkflowRun } from "./workflow-runs.js";
export { CHECK_SUMMARY_CAP, type Annotation } from "./check-runs.js";
export { COMMENT_CAP, type Comment } from "./comments.js";
