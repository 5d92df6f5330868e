import type { Recorder } from "../recorder.js";
import type { Miss, UnusedEdge } from "../judge.js";
import type { UnitNotRun } from "../record-run.js";
import type { UnitTrace } from "../unit-trace.js";
import { fixLine, gapWords, missNote } from "./words.js";

/** The result of a run under trace. */
export interface TraceReport {
  readonly recorder: Pick<Recorder, "kind" | "why">;
  readonly traces: readonly UnitTrace[];
  /** Units of the plan that have no trace, because they never started or were stopped. */
  readonly notRun: readonly UnitNotRun[];
  readonly misses: readonly Miss[];
  readonly unusedEdges: readonly UnusedEdge[];
  /** Returns a package's folder, relative to the project's root. */
  readonly dirOf: (name: string) => string;
}

/** Returns the report as JSON, version 1. `schemas/trace.schema.json` of the tool describes it. */
export function traceJson(report: TraceReport): unknown {
  const { recorder, traces, notRun, misses, unusedEdges, dirOf } = report;
  return {
    version: 1,
    recorder: {
      kind: recorder.kind,
      ...(recorder.why !== undefined && { why: recorder.why }),
    },
    units: traces.map(({ gaps, generated, ...trace }) => ({
      ...trace,
      generated: generated.map(({ path, madeBy }) => ({
        path,
        ...(madeBy !== undefined && { madeBy }),
      })),
      complete: gaps.length === 0,
      gaps: gaps.map((gap) => ({ kind: gap.kind, words: gapWords(gap) })),
    })),
    notRun,
    misses: misses.map((miss) => missJson(miss, dirOf)),
    unusedEdges,
  };
}

function missJson(miss: Miss, dirOf: TraceReport["dirOf"]): unknown {
  const { fix: kind, through, ...rest } = miss;
  const note = missNote(miss);
  return {
    ...rest,
    ...(through !== undefined && { through }),
    fix: {
      kind,
      ...fixLine(miss, dirOf),
      ...(note !== undefined && { note }),
    },
  };
}
