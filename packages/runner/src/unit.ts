/** A unit's name: `package#script`, the same in plans, reports and the store of durations. */
export type UnitId = string;

/** A script of one package, with its arguments: the smallest thing that is run, timed and judged. */
export interface Unit {
  readonly id: UnitId;
  /** The package's name. */
  readonly workspace: string;
  /** Its version, or "" where the manifest has none; scripts see it as npm_package_version. */
  readonly version: string;
  /** Its folder from the project's root, `/` between the parts, `.` for the root. */
  readonly dir: string;
  readonly script: string;
  /** The script's text; undefined where the package has no script of this name (the unit then only keeps order). */
  readonly command: string | undefined;
  /** Handed to the script as they are: no shell ever reads them. */
  readonly args: readonly string[];
  /** Nobody asked for it: a `dependsOn` of the pipeline did. */
  readonly pulledIn: boolean;
  /** Units that must have passed before this one starts. */
  readonly dependsOn: readonly UnitId[];
}

/** An order that could not be kept, because units wait for each other in a circle. */
export interface BrokenEdge {
  /** This unit no longer waits … */
  readonly from: UnitId;
  /** … for this one. */
  readonly to: UnitId;
  /** The circle, from `to` back to `from`. */
  readonly cycle: readonly UnitId[];
}

/** What is to be run, dependencies first. */
export interface UnitPlan {
  readonly units: readonly Unit[];
  readonly broken: readonly BrokenEdge[];
}

/** Why a unit was never started although the run was not interrupted. */
export type SkipReason =
  | { readonly kind: "dependency"; readonly unit: UnitId }
  | { readonly kind: "bail"; readonly unit: UnitId };

/** How a unit was started: by Yarn's shell in one of our own processes, by `yarn run`, or in a process of Jest that runs several packages. */
export type Via = "shell" | "yarn" | "batch";

/** What a unit printed: stdout and stderr in the order they were written. */
export interface UnitOutput {
  /** The whole, or its beginning and end with a line between them that says how much is missing. */
  readonly text: string;
  readonly bytes: number;
  /** Where the whole is, when `text` is not. */
  readonly file?: string;
}

interface Ended {
  readonly unit: Unit;
  readonly durationMs: number;
  readonly output: UnitOutput;
  readonly via: Via;
  /** Why `yarn run` was needed; only where `via` is "yarn". */
  readonly viaReason?: string;
  /** Why its run in a process of several packages did not count, so that this is its run alone. */
  readonly aloneReason?: string;
  /** True where processes of the unit outlived its script and were ended. */
  readonly leftBehind: boolean;
}

/** The earlier run that a result is taken from. */
export interface Replayed {
  /** HEAD of that run; undefined where the repository had no commit. */
  readonly commit: string | undefined;
  /** When the unit passed, in milliseconds since 1970. */
  readonly at: number;
}

/** A unit that passed, in this run or in an earlier one. */
export type PassedUnit = Ended & {
  readonly status: "passed";
  readonly exitCode: 0;
  /** Present where no process was started, because an earlier run passed under the same inputs. Duration and output are of that run. */
  readonly replayed?: Replayed;
};

/** How a unit ended. */
export type UnitResult =
  | PassedUnit
  | (Ended & {
      readonly status: "failed";
      /** Undefined where the shell itself was killed, or could not be started. */
      readonly exitCode: number | undefined;
      /** The signal that ended the script's last process, where one did. */
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

/** Everything a run did, in the order of the plan. */
export interface RunReport {
  readonly results: readonly UnitResult[];
  readonly broken: readonly BrokenEdge[];
  readonly durationMs: number;
  /** True when the caller's signal ended the run early. */
  readonly interrupted: boolean;
}

/** What a run tells while it is under way. */
export type RunEvent =
  | { readonly kind: "started"; readonly unit: Unit; readonly at: number }
  | { readonly kind: "output"; readonly unit: Unit; readonly text: string }
  | {
      readonly kind: "ended";
      readonly result: UnitResult;
      readonly at: number;
    };
