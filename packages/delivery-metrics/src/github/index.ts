export { readActivity } from "./activity-events.js";
export { configurationEvents, migrationEvents } from "./annotations.js";
export {
  nextPage,
  readFiles,
  readGraphqlPull,
  readTimeline,
} from "./graphql-pull.js";
export type { ReadPull } from "./graphql-pull.js";
export { importRows } from "./import-rows.js";
export type { MeasuringRules, RecordedRow } from "./import-rows.js";
export {
  publishedByRuns,
  readDeployment,
  readRelease,
  readTag,
} from "./publish-events.js";
export type { PublishRule } from "./publish-rule.js";
export { pullEvents } from "./pull-events.js";
export * from "./queries.js";
export { readJob, readRun, readSuite } from "./read-runs.js";
export { Row } from "./row.js";
export { runCompleted, runStarted } from "./run-events.js";
export type { JobFacts, RunFacts } from "./run-facts.js";
