import type { TimeoutSettings } from "@skein/workspaces";
import { p90, type Measured } from "../../history/measure.js";
import type { Estimate, PlannedUnit } from "../../plan.js";
import type { Candidate } from "./candidates.js";
import { runnerOf } from "../../runners/find-runner.js";

/**
 * The estimate per test file in milliseconds until a history has measurements. Most test files take a second or two.
 */
const DEFAULT_FILE_MS = 1_726;
/** The estimate in milliseconds for a script without any known test file. It has to start, at least. */
const DEFAULT_UNIT_MS = 10_000;

/** A script and its duration, before splitting. */
export interface Timed {
  readonly candidate: Candidate;
  readonly runner: PlannedUnit["runner"];
  readonly ms: number;
  readonly estimate: Estimate;
  /** Its known test files with their milliseconds; empty if it cannot be split. */
  readonly files: ReadonlyMap<string, number>;
  /** Why a script whose files could be chosen is not split; undefined if it may be, or for any other script. */
  readonly unsplit: string | undefined;
}

export interface EstimateInput {
  readonly history: ReadonlyMap<string, Measured>;
  /** Test files by package, relative to its folder. */
  readonly testFiles: ReadonlyMap<string, readonly string[]>;
  /** The reasons for not splitting units, by `package#script`. Other units may be split. */
  readonly judging: ReadonlyMap<string, string>;
}

/** Returns an estimator. It uses the P90 of earlier runs, or else the number of test files. Pure. */
export function openEstimator({
  history,
  testFiles,
  judging,
}: EstimateInput): (candidate: Candidate) => Timed {
  const known = [...history.values()].flatMap(({ files }) => [
    ...files.values(),
  ]);
  const perFileMs = known.length === 0 ? DEFAULT_FILE_MS : p90(known);
  return (candidate) => {
    const measured = history.get(candidate.whole);
    const found = testFiles.get(candidate.workspace) ?? [];
    const runner = runnerOf(candidate.command)?.name ?? "other";
    const unsplit =
      runner === "other" ? undefined : judging.get(candidate.whole);
    const estimate = estimateOf(measured, found.length, perFileMs);
    const files =
      measured && measured.files.size > 0
        ? measured.files
        : new Map(found.map((file) => [file, perFileMs]));
    return {
      candidate,
      runner,
      ms: Math.max(1, Math.round(msOf(estimate))),
      estimate,
      files: runner === "other" || unsplit !== undefined ? new Map() : files,
      unsplit,
    };
  };
}

function estimateOf(
  measured: Measured | undefined,
  files: number,
  perFileMs: number,
): Estimate {
  if (measured)
    return {
      kind: "history",
      runs: measured.runs,
      p90Ms: measured.p90Ms,
      flakes: measured.flakes,
    };
  return files > 0
    ? { kind: "test-files", files, perFileMs }
    : { kind: "default", ms: DEFAULT_UNIT_MS };
}

function msOf(estimate: Estimate): number {
  switch (estimate.kind) {
    case "history":
      return estimate.p90Ms;
    case "test-files":
      return estimate.files * estimate.perFileMs;
    case "default":
      return estimate.ms;
  }
}

/**
 * Returns the time limit of a unit in milliseconds. With a history, it is `factor` times the P90, from `minSeconds` to
 * `maxSeconds`. Without one, see `unknownLimitMs`.
 * @param ms the expected duration
 */
export function timeoutOf(
  ms: number,
  estimate: Estimate,
  timeout: TimeoutSettings,
): number {
  const { factor, minSeconds, maxSeconds } = timeout;
  if (estimate.kind !== "history") return unknownLimitMs(ms, timeout);
  return Math.round(
    Math.min(maxSeconds * 1000, Math.max(minSeconds * 1000, factor * ms)),
  );
}

/**
 * Returns the time limit of a unit without a history in milliseconds. It is `unknownSeconds`, or `factor` times the
 * estimate if that is longer, and at most `maxSeconds`. An estimate never shortens it.
 * @param ms the estimate; 0 without one
 */
export function unknownLimitMs(
  ms: number,
  { factor, unknownSeconds, maxSeconds }: TimeoutSettings,
): number {
  return Math.round(
    Math.min(maxSeconds * 1000, Math.max(unknownSeconds * 1000, factor * ms)),
  );
}
