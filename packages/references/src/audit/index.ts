// A separate entry point: it needs a parser and an editor of JSON, which users of the index alone need not load.
export { audit } from "./audit.js";
export { isDevelopmentFile } from "./file-roles.js";
export { isTypeImport } from "./type-imports.js";
export { fixManifests } from "./fix.js";
export { problemsToJson, renderProblems } from "./render.js";
export type { AuditProblem, ManifestText } from "./problems.js";
export type { Crossing } from "../graph.js";
