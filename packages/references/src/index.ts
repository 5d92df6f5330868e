export { REFERENCE_KINDS } from "./reference.js";
export type { FileFacts, Reference, ReferenceKind } from "./reference.js";
