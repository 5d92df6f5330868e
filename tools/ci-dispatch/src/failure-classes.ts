import type { FailureClass, Failing } from "./attestation.js";

/** What follows from a class of failure. */
export interface FailureTraits {
  /** Who has to act. */
  readonly blame: "change" | "nobody-yet" | "machine" | "settings";
  /** Whether the unit is run again on the same machine; one that ran out of time never is. */
  readonly runsAgain: boolean;
  /** Whether another machine may turn it green; `known-flakes`: only where the history knows the unit to have flaked. */
  readonly elsewhere: "yes" | "known-flakes" | "no";
  /** Of a job or a verdict that is red by nothing else. */
  readonly exitCode: 1 | 3;
  /** What a unit is called that passes after it. */
  readonly passedLater: "flaky" | "recovered";
}

/** Every class of failure, with all that follows from it: a new class does not compile until it is here. */
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

/** Computes the exit code of what is red: 0 where nothing is, 1 where any failure says so; a failure without a class says 1. */
export function exitCodeOf(red: readonly (Failing | null)[]): 0 | 1 | 3 {
  if (red.length === 0) return 0;
  return red.some(
    (failure) => !failure || FAILURES[failure.class].exitCode === 1,
  )
    ? 1
    : 3;
}

/** Names the class of failures that a pass came after: `infrastructure` where machines alone had failed. */
export function classAfterPass(
  before: readonly Failing[],
): "flaky" | "infrastructure" {
  return before.every(
    (failure) => FAILURES[failure.class].passedLater === "recovered",
  )
    ? "infrastructure"
    : "flaky";
}
