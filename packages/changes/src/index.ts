export type {
  Change,
  ChangeKind,
  ChangeOrigin,
  Changeset,
  ChangeSource,
  Revision,
  Unknown,
} from "./changeset.js";
export { readGitChangeset } from "./git-changeset.js";
export type { GitChangesetRequest } from "./git-changeset.js";
export { readListChangeset } from "./list-changeset.js";
export type { ListOptions } from "./list-changeset.js";
export { repositoryFailure } from "./problems.js";
export { readEvent, readEventChangeset } from "./event.js";
export type { EventRequest } from "./event.js";
export type { CiEvent, EventEnv, EventRange } from "./event-payload.js";
export { githubFailure } from "./github-failure.js";
export { lastGreenCommit } from "./github-last-green.js";
export type { LastGreen, LastGreenRequest } from "./github-last-green.js";
export { readPullRequestChangeset } from "./github-pull-request.js";
export type { PullRequestRequest } from "./github-pull-request.js";
export { findRemoteRepository } from "./github-remote.js";
export { githubTree } from "./github-tree.js";
