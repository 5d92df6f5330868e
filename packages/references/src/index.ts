export { REFERENCE_KINDS, TOOL_SETTINGS } from "./reference.js";
export type { FileFacts, Reference, ReferenceKind } from "./reference.js";
export type {
  Attribution,
  Crossing,
  FoundEdges,
  FoundReference,
  NamingReference,
  NarrowedUse,
  ReferenceGraph,
  ReferringWorkspace,
  SourceEdge,
  AsideNames,
  AsideUser,
  UnparsedFile,
} from "./graph.js";
export { readReferences } from "./read-references.js";
export type { ReadReferencesOptions } from "./read-references.js";
export { variablesIn } from "./scan/variables.js";
export { beginReading } from "./reading.js";
export type { Reading } from "./reading.js";
