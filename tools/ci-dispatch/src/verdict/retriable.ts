import type { Plan, PlannedUnit } from "../plan.js";
import type { JudgedUnit, Verdict } from "../verdict.js";

/** A job that another machine may turn green, and why. */
export interface Retriable {
  readonly job: string;
  /** In words, one for each of its red units. */
  readonly because: readonly string[];
}

/**
 * Jobs that are red only because of their machines, or of tests that are known to flake. Pure. A job with a failure of
 * any other kind is never among them: it would be run until it is green.
 */
export function retriable(plan: Plan, verdict: Verdict): readonly Retriable[] {
  return plan.jobs.flatMap(({ id, units }) => {
    const planned = new Map(units.map((unit) => [unit.id, unit]));
    const reasons = verdict.units
      .filter(({ job, state }) => job === id && isRed(state))
      .map((unit) => reasonOf(unit, planned.get(unit.id)));
    const because = reasons.filter((reason) => reason !== undefined);
    return because.length > 0 && because.length === reasons.length
      ? [{ job: id, because }]
      : [];
  });
}

function isRed(state: JudgedUnit["state"]): boolean {
  return state === "failed" || state === "missing";
}

function reasonOf(
  { id, failure }: JudgedUnit,
  planned: PlannedUnit | undefined,
): string | undefined {
  if (failure?.class === "infrastructure")
    return `${id}: ${failure.evidence[0] ?? "its machine failed"}`;
  const estimate = planned?.estimate;
  if (failure?.class !== "test" || estimate?.kind !== "history")
    return undefined;
  return estimate.flakes > 0
    ? `${id}: suspected flake, as in ${estimate.flakes} of its newest ${estimate.runs} runs`
    : undefined;
}
