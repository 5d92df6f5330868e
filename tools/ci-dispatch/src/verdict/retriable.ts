import type { Plan, PlannedUnit } from "../plan.js";
import { FAILURES } from "../failure-classes.js";
import { isRed } from "../verdict.js";
import type { JudgedUnit, Verdict } from "../verdict.js";
import type { Found } from "./read-attestations.js";
import { FILES } from "./layout.js";
import type { Layout } from "./layout.js";
import { sift } from "./sift.js";

/** A job that another machine may turn green, and why. */
export interface Retriable {
  readonly job: string;
  /** In words, one for each of its red units. */
  readonly because: readonly string[];
}

/**
 * Jobs that are red only because of their machines, or of tests that are known to flake. Pure. A job with a failure of
 * any other kind is never among them: it would be run until it is green. Only somebody who has asked for another attempt
 * of the whole run gets it anew.
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
 * Jobs of which an attempt of the run attests nothing, where it is not the first: whether "Re-run failed jobs" starts a
 * leg that the run tolerates, GitHub does not say. Pure.
 */
export function unrunJobs(
  plan: Plan,
  found: readonly Found[],
  attempt: number,
  layout: Layout = FILES,
): ReadonlySet<string> {
  if (attempt === 1) return new Set();
  const { byJob } = sift(plan, found, layout);
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
