export { openGit, GitError, type Git, type OpenGitOptions } from "./git.js";
export { RepositoryError, type RepositoryProblem } from "./errors.js";
export { shellWord } from "./shell-word.js";
export {
  BLOB_HEADER,
  blobId,
  blobIdIn,
  idLengthOf,
} from "./objects/blob-id.js";
export { readKept, writeKept } from "./kept/kept-file.js";
export { openAnswers, type KeptAnswers } from "./kept/kept-answers.js";
export { openObjects, type GitObject } from "./objects/cat-file.js";
export { openRepository, type Repository } from "./repository.js";
export {
  commitTree,
  parseLsTree,
  type Tree,
  type TreeEntry,
} from "./objects/tree.js";
export {
  absentAfterFetch,
  fetchBlobs,
  fetchBlobsOf,
  isPartialClone,
} from "./objects/partial-clone.js";
export { openDiffs, withoutIndex, type DiffReader } from "./diffs.js";
export { DIFF_RAW_ARGS, parseDiffRaw, type DiffEntry } from "./diff-raw.js";
export { readStatus } from "./status/read-status.js";
export { readAbsent } from "./status/unchecked-changes.js";
export { STATUS_ARGS, parseStatusV2, type Status } from "./status/status-v2.js";
export { splitNul } from "./split-nul.js";
export { findMergeBases } from "./base/common-history.js";
export type { CommonHistoryRequest, Tip } from "./base/common-history.js";
export { askDefaultBranch, resolveBase } from "./base/find-base.js";
export { findDefaultBranch, ORIGIN_HEAD } from "./base/default-branch.js";
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
