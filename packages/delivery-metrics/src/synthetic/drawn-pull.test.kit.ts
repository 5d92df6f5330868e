import type { DeliveryEvent } from "../events/event.js";
import type { Stage } from "../report/stages.js";

/** A pull request as it was drawn. Times are in milliseconds since 1970, durations in milliseconds. */
export interface DrawnPull {
  readonly pull: number;
  readonly bot: boolean;
  /** Whether its builds are missing in the events. */
  readonly hidden: boolean;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
  readonly began: number;
  readonly merged: number;
  /** The end of its post-merge build. */
  readonly built: number;
  readonly stages: Readonly<Partial<Record<Stage, number>>>;
  /** The duration of the first attempt for each commit. */
  readonly builds: readonly number[];
  readonly attempts: readonly DrawnAttempt[];
  /** The numbers of units in its plan. */
  readonly plan: {
    readonly selected: number;
    readonly everything: number;
  };
  readonly events: readonly DeliveryEvent[];
  /** Returns the same pull request, moved by this many milliseconds. */
  shifted(by: number): DrawnPull;
}

/** The end of an attempt of a run. */
export interface DrawnAttempt {
  readonly at: number;
  readonly outcome: "passed" | "failed" | "machine";
  /** Whether it is the last of its run. */
  readonly last: boolean;
  /** Whether it passed after an earlier attempt of the run did not. */
  readonly flaked: boolean;
}
