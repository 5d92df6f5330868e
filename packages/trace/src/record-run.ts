import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { runUnits } from "@skein/runner";
import type {
  RunReport,
  RunUnitsOptions,
  UnitPlan,
  UnitResult,
} from "@skein/runner";
import type { Recorder, Recording } from "./recorder.js";
import type { RecordedUnit } from "./unit-trace.js";

/** A run and its recordings. */
export interface RecordedRun {
  readonly report: RunReport;
  /** In the order of the plan, with only the units that ran to their end. */
  readonly recorded: readonly RecordedUnit[];
  /** Folders that were made only for this run, without symlinks. Reads there don't depend on the project. */
  readonly folders: readonly string[];
}

/** Runs a plan with a recorder. @throws {Failure} as `runUnits` does */
export async function recordRun(
  plan: UnitPlan,
  options: RunUnitsOptions,
  recorder: Recorder,
): Promise<RecordedRun> {
  const recordings = new Map<string, Promise<Recording>>();
  const folders = new Set<string>();
  const report = await runUnits(plan, {
    ...options,
    launch: (unit, job) => {
      // The runner's own folder of programs.
      const bins = job.env["BERRY_BIN_FOLDER"];
      if (bins !== undefined) folders.add(realpathSync(dirname(bins)));
      return recorder.launch(unit, job);
    },
    onEvent: (event) => {
      options.onEvent?.(event);
      if (event.kind !== "ended" || !hasRun(event.result)) return;
      const { unit } = event.result;
      recordings.set(unit.id, recorder.take(unit));
    },
  });
  const recorded: RecordedUnit[] = [];
  for (const result of report.results) {
    const recording = await recordings.get(result.unit.id);
    if (recording) recorded.push(unitOf(result, recording));
  }
  return { report, recorded, folders: [...folders] };
}

function hasRun({ status }: UnitResult): boolean {
  return status === "passed" || status === "failed";
}

function unitOf(result: UnitResult, recording: Recording): RecordedUnit {
  const leftBehind = "leftBehind" in result && result.leftBehind;
  return {
    unit: result.unit,
    passed: result.status === "passed",
    observations: recording.observations,
    gaps: leftBehind
      ? [...recording.gaps, { kind: "left-behind" }]
      : recording.gaps,
  };
}
