export { planUnits } from "./plan-units.js";
export type { PlanUnitsInput, RunnableWorkspace } from "./plan-units.js";
export type { Pipeline } from "./pipeline.js";
export { findYarn, type YarnCommand } from "./find-yarn.js";
export type { Job } from "./executor.js";
export { keepCompiledOption } from "./keep-compiled-option.js";
export { openYarnProject } from "./yarn-project.js";
export type { NodeProcess, YarnProject } from "./yarn-project.js";
export { runUnits } from "./run-units.js";
export type { ResultMemory, RunUnitsOptions } from "./run-units.js";
export type {
  PassedUnit,
  RunEvent,
  RunReport,
  Unit,
  UnitId,
  UnitPlan,
  UnitResult,
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
export { renderJunit } from "./render-junit.js";
export { renderRunMarkdown } from "./render-run-markdown.js";
export { renderUnit, type OutputMode } from "./render-unit.js";
export { isBad, replayedWords, statusWords } from "./render-words.js";
export { openRunView } from "./run-view.js";
