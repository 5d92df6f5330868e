/** A unit's name: `package#script`, the same in plans, reports and the store of durations. */
export type UnitId = string;

/** A script of one package, with its arguments: the smallest thing that is run, timed and judged. */
export interface Unit {
  readonly id: UnitId;
  /** The package's name. */
  readonly workspace: string;
  /** Its version, or "" if the manifest has none. Scripts see it as npm_package_version. */
  readonly version: string;
  /** Its folder, relative to the project's root, with `/` between the parts; `.` for the root. */
  readonly dir: string;
  readonly script: string;
  /** The script's text; undefined if the package has no script of this name. Then the unit only affects the order. */
  readonly command: string | undefined;
  /** The arguments, which the script gets unchanged: no shell ever reads them. */
  readonly args: readonly string[];
  /** Variables beside those that Yarn gives the script; absent for none. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether only a `dependsOn` of the pipeline added it. */
  readonly pulledIn: boolean;
  /** Units that must pass before this one starts. */
  readonly dependsOn: readonly UnitId[];
}

/** A dependency that was ignored, because units wait for each other in a circle. */
export interface BrokenEdge {
  /** The unit that no longer waits. */
  readonly from: UnitId;
  /** The unit that it would have waited for. */
  readonly to: UnitId;
  /** The circle, from `to` back to `from`. */
  readonly cycle: readonly UnitId[];
}

/** The units to run, dependencies first. */
export interface UnitPlan {
  readonly units: readonly Unit[];
  readonly broken: readonly BrokenEdge[];
}

/** Why a unit never started, although the run was not interrupted. */
export type SkipReason =
  | { readonly kind: "dependency"; readonly unit: UnitId }
  | { readonly kind: "bail"; readonly unit: UnitId };

/**
 * How a unit was started: by Yarn's shell in one of our own processes, by `yarn run`, or in a process of Jest that runs
 * several packages.
 */
export type Via = "shell" | "yarn" | "batch";

/** A unit's output: stdout and stderr in the order in which they were written. */
export interface UnitOutput {
  /** The whole output; or its beginning and end, with a line between them that contains the number of missing bytes. */
  readonly text: string;
  readonly bytes: number;
  /** The file with the whole output, if `text` isn't complete. */
  readonly file?: string;
}

interface Ended {
  readonly unit: Unit;
  readonly durationMs: number;
  readonly output: UnitOutput;
  readonly via: Via;
  /** Why `yarn run` was needed; only if `via` is "yarn". */
  readonly viaReason?: string;
  /** Why its result from a shared process did not count, so that this is the result of running alone. */
  readonly aloneReason?: string;
  /** Whether processes of the unit outlived its script and were ended. */
  readonly leftBehind: boolean;
}

/** The earlier run that a result comes from. */
export interface Replayed {
  /** HEAD of that run; undefined if the repository had no commit. */
  readonly commit: string | undefined;
  /** When the unit passed, in milliseconds since 1970. */
  readonly at: number;
}

/** A unit that passed, in this run or in an earlier one. */
export type PassedUnit = Ended & {
  readonly status: "passed";
  readonly exitCode: 0;
  /**
   * Present if no process was started, because an earlier run passed with the same inputs. Duration and output are
   * those of that run.
   */
  readonly replayed?: Replayed;
};

/** The result of a unit. */
export type UnitResult =
  | PassedUnit
  | (Ended & {
      readonly status: "failed";
      /** Undefined if the shell itself was killed, or could not be started. */
      readonly exitCode: number | undefined;
      /** The signal that ended the script's last process, if one did. */
      readonly signal: string | undefined;
    })
  | (Ended & { readonly status: "timed-out"; readonly timeoutMs: number })
  | (Ended & { readonly status: "cancelled"; readonly started: true })
  | {
      readonly status: "cancelled";
      readonly unit: Unit;
      readonly started: false;
    }
  | {
      readonly status: "skipped";
      readonly unit: Unit;
      readonly why: SkipReason;
    }
  | { readonly status: "no-script"; readonly unit: Unit };

export type UnitStatus = UnitResult["status"];

/** The results of a run, in the order of the plan. */
export interface RunReport {
  readonly results: readonly UnitResult[];
  readonly broken: readonly BrokenEdge[];
  readonly durationMs: number;
  /** Whether the caller's signal ended the run early. */
  readonly interrupted: boolean;
}

/** An event of a run. */
export type RunEvent =
  | { readonly kind: "started"; readonly unit: Unit; readonly at: number }
  | { readonly kind: "output"; readonly unit: Unit; readonly text: string }
  | {
      readonly kind: "ended";
      readonly result: UnitResult;
      readonly at: number;
    };
