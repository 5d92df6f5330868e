import type { Job, Unit } from "@skein/runner";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";

/** The recording of one run of a unit. */
export interface Recording {
  readonly observations: Observations;
  readonly gaps: readonly Gap[];
}

/** Records what scripts do. A port with two implementations: strace, and Node's hooks. */
export interface Recorder {
  readonly kind: "strace" | "hooks";
  /** Why it isn't strace; undefined if it is. */
  readonly why: string | undefined;
  /** Changes how a unit is started, so that it is recorded and finds empty caches. */
  launch(unit: Unit, job: Job): Job;
  /** Reads the recording of a unit that has ended, and removes the raw data. */
  take(unit: Unit): Promise<Recording>;
}

/** The options of recorders. */
export interface RecorderOptions {
  /** A folder only for this run, absolute and without symlinks. The caller removes it. */
  readonly folder: string;
  /** Why Yarn itself runs the scripts; undefined if our own shell does. */
  readonly viaYarn: string | undefined;
}
