import { replayedOf } from "./render-words.js";
import type { BrokenEdge, RunReport, UnitResult } from "../unit.js";

/** A run as JSON. Its schema is `schemas/run-report.schema.json`, which changes only with its version. */
export interface RunReportJson {
  readonly version: 1;
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly broken: readonly BrokenEdge[];
  readonly units: readonly UnitJson[];
}

export interface UnitJson {
  readonly id: string;
  readonly package: string;
  readonly dir: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly pulledIn: boolean;
  readonly status: UnitResult["status"];
  /** Whether a process was started for it in this run. */
  readonly started: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  readonly timeoutMs: number | null;
  readonly via: "shell" | "yarn" | "batch" | null;
  readonly viaReason: string | null;
  readonly aloneReason: string | null;
  readonly leftBehind: boolean;
  /** The earlier run that the result comes from; null if it comes from this run. */
  readonly replayed: {
    readonly commit: string | null;
    /** ISO 8601, UTC. */
    readonly at: string;
  } | null;
  /** The unit that prevented this one from starting. */
  readonly skippedFor: {
    readonly kind: "dependency" | "bail";
    readonly unit: string;
  } | null;
  readonly output: {
    readonly text: string;
    readonly bytes: number;
    readonly file: string | null;
  } | null;
}

/** Converts a report to its JSON form. Every field is always present. */
export function reportJson(report: RunReport): RunReportJson {
  return {
    version: 1,
    durationMs: report.durationMs,
    interrupted: report.interrupted,
    broken: report.broken,
    units: report.results.map(unitJson),
  };
}

function unitJson(result: UnitResult): UnitJson {
  const { unit, status } = result;
  const ended = "output" in result ? result : undefined;
  const replayed = replayedOf(result);
  return {
    id: unit.id,
    package: unit.workspace,
    dir: unit.dir,
    script: unit.script,
    args: unit.args,
    pulledIn: unit.pulledIn,
    status,
    started: ended !== undefined && !replayed,
    exitCode: "exitCode" in result ? (result.exitCode ?? null) : null,
    signal: "signal" in result ? (result.signal ?? null) : null,
    durationMs: ended?.durationMs ?? null,
    timeoutMs: status === "timed-out" ? result.timeoutMs : null,
    via: replayed ? null : (ended?.via ?? null),
    viaReason: ended?.viaReason ?? null,
    aloneReason: ended?.aloneReason ?? null,
    leftBehind: ended?.leftBehind ?? false,
    replayed: replayed
      ? {
          commit: replayed.commit ?? null,
          at: new Date(replayed.at).toISOString(),
        }
      : null,
    skippedFor: status === "skipped" ? result.why : null,
    output: ended
      ? {
          text: ended.output.text,
          bytes: ended.output.bytes,
          file: ended.output.file ?? null,
        }
      : null,
  };
}
