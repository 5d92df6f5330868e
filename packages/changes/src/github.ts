/**
 * `@skein/changes/github`: changes according to GitHub. It is a separate entry point because local commands never need
 * it: loading its files would cost every `affected list` a third of its start.
 */
export { readEvent, readEventChangeset } from "./event.js";
export type { CiEvent } from "./event-payload.js";
export { githubFailure } from "./github-failure.js";
export { lastGreenCommit } from "./github-last-green.js";
export { readPullRequestChangeset } from "./github-pull-request.js";
export { findRemoteRepository } from "./github-remote.js";
export { githubTree } from "./github-tree.js";
