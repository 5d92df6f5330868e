import * as json from "@skein/reporting/json";
import { failedTest, failing } from "./attestation.js";
import { EARLIER_RUNS, REUSE_OF_UNIT, skip, workload } from "./plan.js";

/** The states of a unit, from good to bad. */
export const UNIT_STATES = [
  "passed",
  "flaky",
  "recovered",
  "failed",
  "missing",
] as const;
/**
 * - `passed`: on the first attempt;
 * - `flaky`: failed before, on the same tree;
 * - `recovered`: a machine failed before;
 * - `failed`;
 * - `missing`: it has no attestation, whatever the platform reports.
 */
export type UnitState = (typeof UNIT_STATES)[number];

/** Whether a unit in each state makes the verdict red. */
const RED: Readonly<Record<UnitState, boolean>> = {
  passed: false,
  flaky: false,
  recovered: false,
  failed: true,
  missing: true,
};

/** Returns whether a unit in this state makes the verdict red. */
export function isRed({ state }: Pick<JudgedUnit, "state">): boolean {
  return RED[state];
}

/** The verdict of one unit. */
export type JudgedUnit = json.TypeOf<typeof unit>;
const unit = json.object({
  id: json.text,
  /** `package#script`: the name in the history. */
  whole: json.text,
  workspace: json.text,
  /** The folder relative to the project's root. */
  dir: json.text,
  job: json.text,
  state: json.oneOf(UNIT_STATES),
  /** Null if the unit passed on the first attempt. */
  failure: json.orNull(failing),
  failedTests: json.list(failedTest),
  /** The last lines of its newest run's output, if it failed without a named test. */
  lastLines: json.optional(json.list(json.text)),
  /** The file of that run's output, relative to the folder of the attestations. */
  log: json.optional(json.text),
  /** The number of its runs in all attempts. */
  runs: json.number,
  /** The duration of the first run in the newest attempt; null if the unit is missing. */
  durationMs: json.orNothing(json.number),
  files: json.byName(json.number),
  /**
   * `fingerprint` is present if the unit passed on the first attempt, on machines with the planner's runtime, and
   * `fields` if it or `under` is. If a unit with `recheck` failed in this run, that was a false hit.
   */
  ...REUSE_OF_UNIT,
  /** The same hash for a unit that was flaky, recovered or failed; absent if it failed because of its machine. */
  under: json.optional(json.text),
});

/** The reasons why a file doesn't count. */
export const REFUSAL_KINDS = [
  "malformed",
  "too-large",
  "other-plan",
  "unknown-job",
  "unknown-unit",
  "other-artifact",
  "no-artifact",
  "contradiction",
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** An attestation file that doesn't count. */
export type Refused = json.TypeOf<typeof refused>;
const refused = json.object({
  file: json.text,
  why: json.oneOf(REFUSAL_KINDS),
  detail: json.text,
});

/**
 * The plan minus the attestations: the result of all jobs. It is exchanged as a JSON file. Its golden file is the
 * contract test.
 */
export type Verdict = json.TypeOf<typeof VERDICT>;
/** Reads the members of a verdict. `parseVerdict` also checks that they match each other. */
export const VERDICT = json.object({
  version: json.version(1),
  /** The id of the plan, a hash. */
  plan: json.matching(/^[0-9a-f]{32}$/, "verdict.plan isn't an id"),
  head: json.orNull(json.text),
  colour: json.oneOf(["green", "red"]),
  /** 0 if green, 1 if a test failed or could not run, 3 if something is missing or only machines failed. */
  exitCode: json.oneOf([0, 1, 3]),
  counts: json.object(
    Object.fromEntries(
      UNIT_STATES.map((state) => [state, json.number]),
    ) as Record<UnitState, json.Reader<number>>,
  ),
  /** All units of the plan, in its order. */
  units: json.list(unit),
  /** Here, `tree` is also absent if a machine had another runtime. */
  ...EARLIER_RUNS,
  skipped: json.list(skip),
  /** Files that don't count, each with its reason. */
  refused: json.list(refused),
  /** Descriptions of how the change alters what is tested; absent if it doesn't. */
  alters: json.optional(json.list(json.text)),
  /** The set-up time of each job's newest machine in milliseconds, by job; absent if none was measured. */
  setups: json.optional(json.byName(json.number)),
  /** The workload of the plan, and that of running everything; absent if the plan doesn't contain the latter. */
  selection: json.optional(
    json.object({
      selected: workload,
      everything: workload,
      /** The predicted duration of the plan in milliseconds, including its set-up. */
      predictedMs: json.whole,
    }),
  ),
});
