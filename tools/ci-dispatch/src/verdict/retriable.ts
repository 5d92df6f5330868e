import type { Plan, PlannedUnit } from "../plan.js";
import { FAILURES } from "../failure-classes.js";
import { isRed, type JudgedUnit, type Verdict } from "../verdict.js";
import type { Found } from "./read-attestations.js";
import { FILES, type Layout } from "./layout.js";
import { selectAttestations } from "./select-attestations.js";

/** A job that may turn green on another machine, and the reasons. */
export interface Retriable {
  readonly job: string;
  /** Descriptions, one for each of its red units. */
  readonly because: readonly string[];
}

/**
 * Returns the jobs that are red only because of their machines, or of known flaky tests. Pure. A job with any other
 * failure is never included, because it would be retried until it is green. It runs again only if someone requests
 * another attempt of the whole run.
 * @param unrun jobs that such an attempt has not run yet
 */
export function retriable(
  plan: Plan,
  verdict: Verdict,
  unrun: ReadonlySet<string> = new Set(),
): readonly Retriable[] {
  return plan.jobs.flatMap(({ id, units }) => {
    const planned = new Map(units.map((unit) => [unit.id, unit]));
    const reasons = verdict.units
      .filter((unit) => unit.job === id && isRed(unit))
      .map((unit) =>
        unrun.has(id)
          ? `${unit.id}: this attempt has not run it yet`
          : reasonOf(unit, planned.get(unit.id)),
      );
    const because = reasons.filter((reason) => reason !== undefined);
    return because.length > 0 && because.length === reasons.length
      ? [{ job: id, because }]
      : [];
  });
}

/**
 * Returns the jobs without an attestation of this attempt, if it isn't the first. GitHub doesn't document whether
 * "Re-run failed jobs" starts a job with `continue-on-error`. Pure.
 */
export function unrunJobs(
  plan: Plan,
  found: readonly Found[],
  attempt: number,
  layout: Layout = FILES,
): ReadonlySet<string> {
  if (attempt === 1) return new Set();
  const { byJob } = selectAttestations(plan, found, layout);
  return new Set(
    plan.jobs
      .map(({ id }) => id)
      .filter(
        (id) =>
          !byJob
            .get(id)
            ?.some(({ attestation }) => attestation.attempt >= attempt),
      ),
  );
}

function reasonOf(
  { id, failure }: JudgedUnit,
  planned: PlannedUnit | undefined,
): string | undefined {
  if (!failure) return undefined;
  const { elsewhere } = FAILURES[failure.class];
  if (elsewhere === "yes")
    return `${id}: ${failure.evidence[0] ?? "its machine failed"}`;
  const estimate = planned?.estimate;
  if (elsewhere !== "known-flakes" || estimate?.kind !== "history")
    return undefined;
  return estimate.flakes > 0
    ? `${id}: suspected flake, as in ${estimate.flakes} of its newest ${estimate.runs} runs`
    : undefined;
}
