export type {
  Change,
  ChangeKind,
  ChangeOrigin,
  Changeset,
  ChangeSource,
  Revision,
  Unknown,
} from "./changeset.js";
export { begin, openProjectRepository } from "./begin.js";
export type { Begun, Guess } from "./begin.js";
export { readGitChangeset } from "./git-changeset.js";
export type { GitChangesetRequest } from "./git-changeset.js";
export { readListChangeset } from "./list-changeset.js";
export type { ListOptions } from "./list-changeset.js";
export { repositoryFailure } from "./problems.js";
