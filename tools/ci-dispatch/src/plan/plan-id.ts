import { hashOf } from "../canonical.js";
import { Malformed } from "@skein/reporting/json";
import type { Plan } from "../plan.js";

/** Returns a plan's id: the hash of everything else that it holds, whatever the order of its members. */
export function planIdOf(content: Omit<Plan, "id">): string {
  return hashOf(content);
}

/**
 * Checks that a plan is the one that its id was given to. A plan travels as an artifact, which a job that ran a pull
 * request's code can replace: without this check, a plan with fewer jobs could keep the id that attestations name.
 * @param plan a plan file's JSON, with every member that it holds
 * @throws {Malformed} where the id is not the hash of the rest
 */
export function checkPlanId(plan: Readonly<Record<string, unknown>>): void {
  const { id, ...content } = plan;
  if (id !== hashOrNothing(content))
    throw new Malformed(
      "plan.id is not the hash of the plan: somebody changed it after it was made",
    );
}

/** Undefined for what is nested so deeply that the stack ends before it does: no plan is. */
function hashOrNothing(content: unknown): string | undefined {
  try {
    return hashOf(content);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
