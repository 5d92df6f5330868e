export type {
  Change,
  ChangeKind,
  ChangeOrigin,
  Changeset,
  ChangeSource,
  Revision,
  Unknown,
} from "./changeset.js";
