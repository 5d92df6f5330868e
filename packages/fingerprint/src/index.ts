export { digest } from "./digest.js";
export { entriesOf, firstDifference } from "./explain.js";
export type { Difference, Entry } from "./explain.js";
export type { Fact, PackageFacts, TreeFacts } from "./fact.js";
export { FORMAT, hashTree, openFinisher } from "./fingerprint.js";
export type {
  TreeFingerprint,
  UnitFingerprint,
  UnitRequest,
} from "./fingerprint.js";
export { compileReads, type ReadFile } from "./reads.js";
export { originalOf, splitEdges } from "./split-edges.js";
export {
  hashVariables,
  stableEnvironment,
  varyingNames,
} from "./surroundings.js";
export type { Surroundings, Variables } from "./surroundings.js";
