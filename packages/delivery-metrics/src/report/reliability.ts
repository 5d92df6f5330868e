import type { Conclusion, EventOf } from "../events/event.js";
import { ownJobs } from "../events/run-end.js";
import type { RunFacts } from "../facts/facts.js";
import { failedThenPassed, FlakyJobs, type FlakyName } from "./flaky-jobs.js";
import { rate, type Rate } from "./rate.js";
import { within, type Bounds } from "./windows.js";

/** Runs, jobs and units that failed and then passed. */
export interface Flakes {
  /**
   * Runs in which an attempt ended in `failure` before another ended in `success`, of all runs with an ended attempt.
   * An infrastructure failure isn't a failure here: `infrastructure` counts it.
   */
  readonly runs: Rate;
  /** The units of verdicts. */
  readonly units: Rate;
  /** Jobs and units, the most frequent flakes first, and of equal ones the higher rate first; at most 20. */
  readonly worst: readonly FlakyName[];
}

/** Infrastructure failures among the attempts that ended. */
export interface Infrastructure {
  /** The attempts of runs. */
  readonly attempts: Rate;
  /** The units of verdicts. */
  readonly units: Rate;
}

/** GitHub's conclusions for infrastructure failures: the run never started, ran out of time, or was lost. */
const INFRASTRUCTURE: readonly Conclusion[] = [
  "startup_failure",
  "timed_out",
  "stale",
];
/**
 * Conclusions of attempts that ended with a result. Skipped and cancelled attempts, and those that wait for a person, have
 * none.
 */
const ENDED: readonly Conclusion[] = ["success", "failure", ...INFRASTRUCTURE];
const MOST_NAMED = 20;

/** Counts the runs and verdicts of a window: those that failed and then passed, and those with infrastructure failures. */
export class ReliabilityTally {
  readonly #window: Bounds;
  readonly #runs = { flaky: 0, of: 0 };
  readonly #jobs = new FlakyJobs(ENDED);
  readonly #attempts = { failed: 0, of: 0 };
  readonly #verdicts = { count: 0, units: 0, flaky: 0, failed: 0 };
  readonly #flakyUnits = new Map<string, number>();

  constructor(window: Bounds) {
    this.#window = window;
  }

  /** Adds all attempts of a run, in their order. */
  addRun(attempts: readonly RunFacts[]): void {
    const ended = attempts.filter(
      ({ completed }) => completed && ENDED.includes(completed.conclusion),
    );
    for (const each of ended) this.#addAttempt(each);
    const last = ended.at(-1)?.completed;
    if (!last || !within(this.#window, last.at)) return;
    this.#runs.of++;
    if (
      ended.length > 1 &&
      failedThenPassed(ended.map(({ completed }) => completed?.conclusion))
    )
      this.#runs.flaky++;
    this.#jobs.add(ended);
  }

  #addAttempt({ started, completed }: RunFacts): void {
    if (!completed || !within(this.#window, completed.at)) return;
    this.#attempts.of++;
    const jobs = ownJobs(completed.jobs, started.attempt, started.at);
    if (isInfrastructure(completed) || jobs.some(isInfrastructure))
      this.#attempts.failed++;
  }

  /** Adds a verdict of the window. */
  addVerdict({ units, flaky, infrastructure }: EventOf<"run-judged">): void {
    this.#verdicts.count++;
    this.#verdicts.units += units;
    this.#verdicts.flaky += flaky.length;
    this.#verdicts.failed += infrastructure.length;
    for (const name of new Set(flaky))
      this.#flakyUnits.set(name, (this.#flakyUnits.get(name) ?? 0) + 1);
  }

  flakes(): Flakes {
    const { count, units, flaky } = this.#verdicts;
    const flakyUnits = [...this.#flakyUnits].map(
      ([name, flakes]): FlakyName => ({
        kind: "unit",
        name,
        flakes,
        of: count,
        rate: flakes / count,
      }),
    );
    return {
      runs: rate(this.#runs.flaky, this.#runs.of),
      units: rate(flaky, units),
      worst: [...this.#jobs.flaky(), ...flakyUnits]
        .sort(
          (a, b) =>
            b.flakes - a.flakes ||
            b.rate - a.rate ||
            (a.name < b.name ? -1 : 1),
        )
        .slice(0, MOST_NAMED),
    };
  }

  infrastructure(): Infrastructure {
    return {
      attempts: rate(this.#attempts.failed, this.#attempts.of),
      units: rate(this.#verdicts.failed, this.#verdicts.units),
    };
  }
}

function isInfrastructure({
  conclusion,
}: {
  readonly conclusion: Conclusion;
}): boolean {
  return INFRASTRUCTURE.includes(conclusion);
}
