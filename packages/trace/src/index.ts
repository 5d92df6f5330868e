export { findMisses, findUnusedEdges } from "./judge.js";
export type { FileEffect, Selection } from "./judge.js";
export { HooksRecorder } from "./hooks-recorder.js";
export { Places } from "./place.js";
export type { Recorder } from "./recorder.js";
export { StraceRecorder, whyNoStrace } from "./strace-recorder.js";
export { makeTraces, type UnitTrace } from "./unit-trace.js";
export { recordRun, type RecordedRun } from "./record-run.js";
export { renderTraceHtml } from "./report/render-html.js";
export { renderTrace, traceSummary } from "./report/render-text.js";
export { traceJson, type TraceReport } from "./report/trace-report.js";
export { makeEvidence, verify } from "./evidence/evidence.js";
export type {
  Entry,
  Evidence,
  EvidenceWorld,
  Mismatch,
  UnitFacts,
} from "./evidence/evidence.js";
export { packEvidence, unpackEvidence } from "./evidence/pack.js";
export { yielding } from "./evidence/yield.js";
