export { planUnits, unitId } from "./plan-units.js";
export type { PlanUnitsInput, RunnableWorkspace } from "./plan-units.js";
export type { Pipeline, PipelineEntry } from "./pipeline.js";
export { openYarnProject } from "./yarn-project.js";
export type {
  NodeProcess,
  OpenYarnProjectOptions,
  YarnProject,
} from "./yarn-project.js";
export { runUnits } from "./run-units.js";
export type { RunUnitsOptions } from "./run-units.js";
export type {
  BrokenEdge,
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
