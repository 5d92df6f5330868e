export { planUnits } from "./plan-units.js";
export type { PlanUnitsInput, RunnableWorkspace } from "./plan-units.js";
export type { Pipeline, PipelineEntry } from "./pipeline.js";
export { findYarn } from "./find-yarn.js";
export type { FindYarnInput, YarnCommand } from "./find-yarn.js";
export type { Job, Launcher } from "./executor.js";
export { keepCompiledOption } from "./keep-compiled-option.js";
export { openYarnProject } from "./yarn-project.js";
export type {
  NodeProcess,
  OpenYarnProjectOptions,
  YarnProject,
} from "./yarn-project.js";
export { runUnits } from "./run-units.js";
export type { ResultMemory, RunUnitsOptions } from "./run-units.js";
export type {
  BrokenEdge,
  PassedUnit,
  Replayed,
  RunEvent,
  RunReport,
  SkipReason,
  Unit,
  UnitId,
  UnitOutput,
  UnitPlan,
  UnitResult,
  UnitStatus,
  Via,
} from "./unit.js";
export {
  isHarmlessCoverage,
  isHarmlessReporter,
  judgingSettings,
} from "./jest/settings.js";
export { readDurations, withRun, writeDurations } from "./durations.js";
export type { Durations } from "./durations.js";
export { reportJson } from "./render-json.js";
export type { RunReportJson, UnitJson } from "./render-json.js";
export { renderJunit } from "./render-junit.js";
export { renderRunMarkdown } from "./render-run-markdown.js";
export { renderSummary } from "./render-summary.js";
export { renderUnit } from "./render-unit.js";
export type { OutputMode } from "./render-unit.js";
export { isBad, replayedWords, statusWords } from "./render-words.js";
export { openRunView } from "./run-view.js";
export type { RunView, RunViewOptions } from "./run-view.js";
