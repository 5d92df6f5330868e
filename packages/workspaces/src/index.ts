export type { Edge, EdgeKind, Workspace, WorkspaceGraph } from "./graph.js";
export { makeGraph, DuplicateWorkspaceError } from "./make-graph.js";
export { identOf, LockfileError, rangeOf } from "./lockfile/lockfile.js";
export type { LockEntry, Lockfile } from "./lockfile/lockfile.js";
export { parseLockfile } from "./lockfile/parse.js";
export { parseAnyLockfile } from "./lockfile/parse-any.js";
export { isYarn1Lockfile } from "./lockfile/parse-yarn-1.js";
export { compareLockfiles, type LockChange } from "./lockfile/compare.js";
export {
  ManifestError,
  parseManifest,
  workspaceGlobs,
} from "./manifest/manifest.js";
export type { Dependency, Manifest } from "./manifest/manifest.js";
export { compileWorkspaceGlobs } from "./manifest/globs.js";
export { positiveGlobs, unmatchedGlobs } from "./manifest/unmatched-globs.js";
export {
  openLookupCheck,
  openLookups,
  openSettingsCheck,
} from "./affected/programs/lookups.js";
export type { Lookups } from "./affected/programs/lookups.js";
export { COMPARED } from "./affected/unowned/unowned.js";
export { openUnitsOf } from "./affected/world.js";
export type { Units } from "./affected/programs/units.js";
export { isWithin, relativeTo, stemOf } from "./paths.js";
export { KEPT_VERSION, keepProject } from "./kept/keep-project.js";
export { openKeptProject } from "./kept/open-kept.js";
export { runnable, type PackageFacts, type Project } from "./project.js";
export { findCommittedRoot, treeFiles } from "./committed.js";
export {
  fetchProjectFiles,
  isOfProject,
  missingFiles,
} from "./fetch-project.js";
export { filesOnDisk } from "./disk.js";
export { findRoot } from "./find-root.js";
export { withTranslatedErrors } from "./problems.js";
export { openWorkspaceCheck, type ProjectFiles } from "./read-packages.js";
export { readProject } from "./read-project.js";
export { defaultSettings } from "./settings/settings.js";
export type { AffectedSettings, Settings } from "./settings/settings.js";
export {
  MATRIX_CAP,
  POOL_NAME,
  type ApplicationStep,
  type DispatchSettings,
  type InlineMode,
  type TimeoutSettings,
} from "./settings/dispatch-settings.js";
export type { MetricsSettings } from "./settings/metrics-settings.js";
export {
  codeownersPaths,
  ownersOfPackage,
  ownersOfPath,
  readCodeowners,
} from "./query/codeowners.js";
export { nameMatcher } from "./query/patterns.js";
export { factsAskedFor, readFilters, selectPackages } from "./query/select.js";
export { tagReader } from "./query/tags.js";
export { parseSettings } from "./settings/parse-settings.js";
export { unmatchedSettings } from "./settings/unmatched-settings.js";
export { scriptCache, type CacheSettings } from "./settings/cache-settings.js";
export { scriptsBefore } from "./affected/owned/classify.js";
export { compileGlobs, compileInputs, compileTests } from "./affected/globs.js";
export type { PathMatcher } from "./affected/globs.js";
export { decideAffected } from "./affected/affected.js";
export type { Affected, AffectedPackage } from "./affected/affected.js";
export type { References, User } from "./affected/input.js";
export type {
  ExternalUse,
  NoEffect,
  Reason,
  Referrer,
} from "./affected/reason.js";
export { treeFacts, type TreeFile } from "./affected/tree-facts.js";
export { reasonSpreads } from "./affected/reason.js";
export { declaredEdges, withOnward } from "./affected/dependents/onward.js";
export { allPaths, shortestPath } from "./paths-between.js";
export type { EdgeLookup, PackagePath } from "./paths-between.js";
export { unknownNames, withImplicitEdges } from "./implicit-edges.js";
