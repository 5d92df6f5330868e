export { REFERENCE_KINDS } from "./reference.js";
export type { FileFacts, Reference, ReferenceKind } from "./reference.js";
export type {
  Attribution,
  Crossing,
  FoundReference,
  ReferenceGraph,
  ReferringWorkspace,
  SourceEdge,
  TestNames,
  UnparsedFile,
} from "./graph.js";
export { readReferences } from "./read-references.js";
export type { ReadReferencesOptions } from "./read-references.js";
export { packagesNamedBy } from "./scan-file.js";
export type { NamedPackage } from "./scan-file.js";
export { audit, isDevelopmentFile } from "./audit/audit.js";
export type { AuditInput } from "./audit/audit.js";
export { fixManifests } from "./audit/fix.js";
export { problemsToJson, renderProblems } from "./audit/render.js";
export type {
  AuditProblem,
  ManifestFix,
  ManifestText,
} from "./audit/problems.js";
