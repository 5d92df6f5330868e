export { TOOL_SETTINGS } from "./reference.js";
export type { ReferenceKind } from "./reference.js";
export type {
  FoundReference,
  ReferenceGraph,
  ReferringWorkspace,
  SourceEdge,
  AsideNames,
} from "./graph.js";
export { readReferences } from "./read-references.js";
export { variablesIn } from "./scan/text/variables.js";
export { beginReading, type Reading } from "./reading.js";
