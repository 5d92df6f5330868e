export { openGit, GitError } from "./git.js";
export type { Git, OpenGitOptions } from "./git.js";
export { RepositoryError } from "./errors.js";
export type { RepositoryProblem } from "./errors.js";
export { shellWord } from "./shell-word.js";
export { BLOB_HEADER, blobId, blobIdIn, idLengthOf } from "./blob-id.js";
export { readKept, writeKept } from "./kept-file.js";
export { openAnswers } from "./kept-answers.js";
export type { KeptAnswers } from "./kept-answers.js";
export { openObjects } from "./cat-file.js";
export type { GitObject } from "./cat-file.js";
export { openRepository } from "./repository.js";
export type { Repository } from "./repository.js";
export { commitTree, parseLsTree } from "./tree.js";
export type { Tree, TreeEntry } from "./tree.js";
export {
  absentAfterFetch,
  fetchBlobs,
  fetchBlobsOf,
  isPartialClone,
} from "./partial-clone.js";
export { openDiffs, withoutIndex } from "./diffs.js";
export type { DiffReader } from "./diffs.js";
export { DIFF_RAW_ARGS, parseDiffRaw } from "./diff-raw.js";
export type { DiffEntry } from "./diff-raw.js";
export { readStatus } from "./read-status.js";
export { readAbsent } from "./unchecked-changes.js";
export { STATUS_ARGS, parseStatusV2 } from "./status-v2.js";
export type { Status } from "./status-v2.js";
export { findMergeBases } from "./common-history.js";
export type { CommonHistoryRequest, Tip } from "./common-history.js";
export { askDefaultBranch, resolveBase } from "./find-base.js";
export { findDefaultBranch, ORIGIN_HEAD } from "./default-branch.js";
export { findCommit, isObjectId, resolveCommit } from "./refs.js";
export {
  configEnv,
  splitStream,
  streamGit,
  streamNamed,
  streamObjects,
  withEnv,
  withoutRepository,
  writeTo,
} from "./stream.js";
export type { PreparedRefs, RefUpdate } from "./ref-transaction.js";
