export type {
  Change,
  ChangeKind,
  Changeset,
  Revision,
  Unknown,
} from "./changeset.js";
export { begin, openProjectRepository } from "./begin.js";
export type { EarlyAnswers, Guess } from "./begin.js";
export { readGitChangeset } from "./git-changeset.js";
export { readListChangeset } from "./list-changeset.js";
export { repositoryFailure } from "./problems.js";
