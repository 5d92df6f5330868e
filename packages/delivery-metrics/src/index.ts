export * from "./events/event.js";
export { eventId } from "./events/event-id.js";
export { mergeEvents } from "./events/merge-events.js";
export { formatEvent } from "./events/line.js";
export { EventParser, parseEvents } from "./events/ndjson.js";
export { EventLog } from "./log/event-log.js";
export * from "./report/report.js";
export { PERCENTILES } from "./report/distribution.js";
export type {
  Distribution,
  Interval,
  Percentile,
} from "./report/distribution.js";
export type {
  ExclusionReason,
  UnfinishedReason,
  Unread,
} from "./report/coverage.js";
export type { Group } from "./report/groups.js";
export type { SeriesPoint } from "./report/series.js";
export type { Dora } from "./report/dora.js";
export type { Rate } from "./report/rate.js";
export type { FlakyName } from "./report/flaky-jobs.js";
export type { Annotation } from "./report/figures.js";
export { DAY_MS, windowBefore } from "./report/windows.js";
export type { Window } from "./report/windows.js";
export type { Change, ComparedP90, PercentInterval } from "./compare/change.js";
export { isHuman, STAGES } from "./report/stages.js";
export type { Stage } from "./report/stages.js";
export { linkEvents } from "./link/link-events.js";
export {
  DEFAULT_MINIMUM,
  makeReport,
  measureWindow,
  reportOf,
} from "./report/make-report.js";
export type { ReportOptions } from "./report/make-report.js";
export { lastRuns } from "./report/last-runs.js";
export type { JobTimes, RunTimes } from "./report/last-runs.js";
export { seededRandom } from "./statistics/random.js";
export { commonEnd } from "./compare/common-end.js";
export { percentOf } from "./compare/change.js";
export { parseDuration, showLeadTime } from "./compare/duration.js";
export {
  linkedInModel,
  parseStageTable,
  StageTableError,
} from "./compare/stage-table.js";
export type { StageTable } from "./compare/stage-table.js";
export {
  compareWindows,
  sidesOf,
  sidesOfEvents,
  sidesOfReport,
  stageTableOf,
} from "./compare/window-sides.js";
export type { WindowSides } from "./compare/window-sides.js";
export * from "./github/index.js";
export { readPackument } from "./registry/packument.js";
export { parseKeptReport } from "./compare/kept-report.js";
export type { KeptReport } from "./compare/kept-report.js";
export { mergedPulls } from "./report/merged-pulls.js";
export { runDurations } from "./report/run-durations.js";
