// Apart from the rest: it needs a parser and an editor of JSON, which whoever asks the index alone need not load.
export { audit, isDevelopmentFile } from "./audit.js";
export type { AuditInput } from "./audit.js";
export { fixManifests } from "./fix.js";
export { problemsToJson, renderProblems } from "./render.js";
export type { AuditProblem, ManifestFix, ManifestText } from "./problems.js";
