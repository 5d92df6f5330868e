import type { DeliveryEvent } from "../events/event.js";
import type { Stage } from "../report/report.js";

/** One pull request as it was drawn. Times in milliseconds since 1970, spans in milliseconds. */
export interface Told {
  readonly pull: number;
  readonly bot: boolean;
  /** Its builds are not in the events. */
  readonly hidden: boolean;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
  readonly began: number;
  readonly merged: number;
  /** When its post-merge build ends. */
  readonly built: number;
  readonly stages: Readonly<Partial<Record<Stage, number>>>;
  /** How long the first attempt took for each commit. */
  readonly builds: readonly number[];
  readonly attempts: readonly ToldAttempt[];
  /** Units and machine time of its plan. */
  readonly plan: {
    readonly selected: number;
    readonly everything: number;
  };
  readonly events: readonly DeliveryEvent[];
  /** The same, so many milliseconds later. */
  shifted(by: number): Told;
}

/** How an attempt of a run ended. */
export interface ToldAttempt {
  readonly at: number;
  readonly outcome: "passed" | "failed" | "machine";
  /** It is the last of its run. */
  readonly last: boolean;
  /** A run that failed before and passed now. */
  readonly flaked: boolean;
}
