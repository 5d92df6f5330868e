import type { Job, Unit } from "@skein/runner";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";

/** What was recorded of one run of a unit. */
export interface Recording {
  readonly observations: Observations;
  readonly gaps: readonly Gap[];
}

/** Records what scripts do. A port with two makes: strace, and Node's hooks. */
export interface Recorder {
  readonly kind: "strace" | "hooks";
  /** Why it is not strace; undefined where it is. */
  readonly why: string | undefined;
  /** Changes how a unit is started, so that it is recorded and finds empty caches. */
  launch(unit: Unit, job: Job): Job;
  /** Reads what was recorded of a unit that has ended, and removes the raw data. */
  take(unit: Unit): Promise<Recording>;
}

/** What recorders need. */
export interface RecorderOptions {
  /** A folder for this run alone, absolute and without symlinks; the caller removes it. */
  readonly folder: string;
  /** Why Yarn itself runs the scripts; undefined where our own shell does. */
  readonly viaYarn: string | undefined;
}
