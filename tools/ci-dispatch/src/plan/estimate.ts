import type { TimeoutSettings } from "@skein/workspaces";
import type { Measured } from "../history/measure.js";
import { p90 } from "../history/measure.js";
import type { Estimate, PlannedUnit } from "../plan.js";
import type { Candidate } from "./candidates.js";
import { isJest } from "./jest.js";

/** A guess, in milliseconds, until a history measures each file: a second or two is what most test files take. */
export const DEFAULT_FILE_MS = 1_726;
/** A script of which nothing is known, not even a test file: it has to start, at least. */
export const DEFAULT_UNIT_MS = 10_000;

/** A script with its duration, not split yet. */
export interface Timed {
  readonly candidate: Candidate;
  readonly runner: PlannedUnit["runner"];
  readonly ms: number;
  readonly estimate: Estimate;
  /** Its test files that are known, each with its milliseconds; empty where it cannot be split. */
  readonly files: ReadonlyMap<string, number>;
  /** Why it cannot be split although Jest runs it; undefined where it can, or Jest does not. */
  readonly unsplit: string | undefined;
}

export interface EstimateInput {
  readonly history: ReadonlyMap<string, Measured>;
  /** Test files by package, from its folder. */
  readonly testFiles: ReadonlyMap<string, readonly string[]>;
  /** Why units are not split, by `package#script`. */
  readonly judging: ReadonlyMap<string, string>;
}

/** Opens an estimator: the P90 of earlier runs, else by the number of test files. Pure. */
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
    const runner = isJest(candidate.command) ? "jest" : "other";
    const unsplit =
      runner === "jest" ? judging.get(candidate.whole) : undefined;
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
      files: runner === "jest" && unsplit === undefined ? files : new Map(),
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
 * Computes after how many milliseconds a unit is given up. With a history: `factor` times its P90, from `minSeconds` to
 * `maxSeconds`. Without one: see `unknownLimitMs`.
 * @param ms expected
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
 * Computes after how many milliseconds a unit without a history is given up: `unknownSeconds`, or `factor` times the
 * estimate where that is longer, at most `maxSeconds`. An estimate alone never shortens the time.
 * @param ms estimated; 0 where nobody has
 */
export function unknownLimitMs(
  ms: number,
  { factor, unknownSeconds, maxSeconds }: TimeoutSettings,
): number {
  return Math.round(
    Math.min(maxSeconds * 1000, Math.max(unknownSeconds * 1000, factor * ms)),
  );
}
