export { globMatches } from "./glob.js";
export { manifestOf, readCatalogs } from "./members.js";
export type { Catalogs, Member } from "./members.js";
export { breakingPart, COMPARABLE } from "./ranges.js";
export { runVersions, type VersionsOptions } from "./run-versions.js";
