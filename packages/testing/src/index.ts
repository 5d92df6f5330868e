export { artifactServer, type ArtifactServer } from "./artifact-server.js";
export { certificates } from "./certificates.js";
export { findChromium } from "./chromium.js";
export { findProgram } from "./find-program.js";
export { faultsOfHelp, helpOfEachVerb } from "./helps.js";
export {
  json,
  rootManifest,
  suiteDir,
  tempDir,
  writeFiles,
} from "./temp-dir.js";
export type { Files, FileSpec } from "./temp-dir.js";
export { buildHistory, gitIn, gitTestEnv, type CommitSpec } from "./history.js";
export {
  startedByYarn,
  yarnIn,
  yarnPath,
  yarnRelease,
  yarnRunner,
  yarnTestEnv,
} from "./yarn.js";
export type {
  FakeGitHub,
  FakeGitHubOptions,
} from "./fake-github/fake-github.js";
export { startFakeGitHub, startFakeRegistry } from "./servers.js";
export type { FakeRegistry, RegistryFault } from "./fake-registry.js";
export { packManifest } from "./packed-manifest.js";
export { writePullRefs } from "./fake-github/pull-refs.js";
export type { RunSpec } from "./fake-github/add.js";
export type * from "./fake-github/delivery.js";
export type { Fault, FaultKind } from "./fake-github/faults.js";
export type { FakePull, FakeRepository, FakeRun } from "./fake-github/state.js";
export { bigWorkspace } from "./big-workspace.js";
export { transcript } from "./transcript.js";
