import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { runUnits, statusWords } from "@skein/runner";
import type {
  RunReport,
  RunUnitsOptions,
  UnitId,
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
  /** In the order of the plan, the other units that have a command. */
  readonly notRun: readonly UnitNotRun[];
  /** Folders that were made only for this run, without symlinks. Reads there don't depend on the project. */
  readonly folders: readonly string[];
}

/** A unit without a recording: it never started, or it was stopped. */
export interface UnitNotRun {
  readonly unit: UnitId;
  readonly workspace: string;
  readonly script: string;
  readonly status: "cancelled" | "skipped" | "timed-out";
  /** The status in a few words. */
  readonly words: string;
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
  const notRun = report.results.flatMap(unitNotRun);
  return { report, recorded, notRun, folders: [...folders] };
}

function unitNotRun(result: UnitResult): UnitNotRun[] {
  const { unit, status } = result;
  if (status === "passed" || status === "failed" || status === "no-script")
    return [];
  const { id, workspace, script } = unit;
  const words = statusWords(result);
  return [{ unit: id, workspace, script, status, words }];
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
