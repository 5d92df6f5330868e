export { planUnits } from "./order/plan-units.js";
export type { PlanUnitsInput } from "./order/plan-units.js";
export { findProgram } from "./find-program.js";
export { findYarn, type YarnCommand } from "./yarn/find-yarn.js";
export type { Job } from "./executor.js";
export { keepCompiledOption } from "./keep-compiled-option.js";
export { openYarnProject } from "./yarn/yarn-project.js";
export type { NodeProcess, YarnProject } from "./yarn/yarn-project.js";
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
export { readDurations, withRun, writeDurations } from "./order/durations.js";
export { reportJson } from "./render/render-json.js";
export { renderJunit } from "./render/render-junit.js";
export { renderRunMarkdown } from "./render/render-run-markdown.js";
export { renderUnit, type OutputMode } from "./render/render-unit.js";
export { isBad, replayedWords, statusWords } from "./render/render-words.js";
export { openRunView } from "./render/run-view.js";
