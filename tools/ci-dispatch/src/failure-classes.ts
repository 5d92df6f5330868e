import type { FailureClass, Failing } from "./attestation.js";

/** The consequences of a class of failure. */
export interface FailureTraits {
  /** The cause, which determines who has to act. */
  readonly blame: "change" | "nobody-yet" | "machine" | "settings";
  /** Whether the unit is retried on the same machine. A unit that timed out never is. */
  readonly runsAgain: boolean;
  /** Whether another machine may turn it green; `known-flakes`: only if the unit has flaked in the history. */
  readonly elsewhere: "yes" | "known-flakes" | "no";
  /** The exit code of a job or a verdict that is red only for this reason. */
  readonly exitCode: 1 | 3;
  /** The state of a unit that passes after such a failure. */
  readonly passedLater: "flaky" | "recovered";
}

/** All classes of failure with their consequences. Code with a new class doesn't compile until it is added here. */
export const FAILURES: Readonly<Record<FailureClass, FailureTraits>> = {
  test: {
    blame: "change",
    runsAgain: true,
    elsewhere: "known-flakes",
    exitCode: 1,
    passedLater: "flaky",
  },
  flaky: {
    blame: "nobody-yet",
    runsAgain: true,
    elsewhere: "no",
    exitCode: 1,
    passedLater: "flaky",
  },
  infrastructure: {
    blame: "machine",
    runsAgain: true,
    elsewhere: "yes",
    exitCode: 3,
    passedLater: "recovered",
  },
  configuration: {
    blame: "settings",
    runsAgain: false,
    elsewhere: "no",
    exitCode: 1,
    passedLater: "flaky",
  },
};

/**
 * Returns the exit code for red units: 0 without any, 1 if a failure's class requires it or a failure has no class,
 * otherwise 3.
 */
export function exitCodeOf(red: readonly (Failing | null)[]): 0 | 1 | 3 {
  if (red.length === 0) return 0;
  return red.some(
    (failure) => !failure || FAILURES[failure.class].exitCode === 1,
  )
    ? 1
    : 3;
}

/** Returns whether a machine has to be repaired or replaced, so that the failure isn't evidence about the unit. */
export function isOfMachine(failure: Failing | null | undefined): boolean {
  return failure != null && FAILURES[failure.class].blame === "machine";
}

/**
 * Returns the class of the failures before a pass: the last failure's class if the unit has recovered from all of them, as from
 * those of machines, otherwise `flaky`.
 */
export function classAfterPass(before: readonly Failing[]): FailureClass {
  const last = before.at(-1);
  return last &&
    before.every(
      (failure) => FAILURES[failure.class].passedLater === "recovered",
    )
    ? last.class
    : "flaky";
}
