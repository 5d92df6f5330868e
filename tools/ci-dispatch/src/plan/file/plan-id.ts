import { hashOf } from "../../canonical.js";
import { Malformed } from "@skein/reporting/json";
import type { Plan } from "../../plan.js";

/** Returns a plan's id: a hash of all its other members, in any order. */
export function planIdOf(content: Omit<Plan, "id">): string {
  return hashOf(content);
}

/**
 * Checks that a plan's id matches its contents. A plan is an artifact, which a job that ran a pull request's code can
 * replace. Without this check, a plan with fewer jobs could have the id that attestations name.
 * @param plan the JSON of a plan file, with all its members
 * @throws {Malformed} if the id isn't the hash of the rest
 */
export function checkPlanId(plan: Readonly<Record<string, unknown>>): void {
  const { id, ...content } = plan;
  if (id !== hashOrNothing(content))
    throw new Malformed(
      "plan.id is not the hash of the plan: it was changed after it was made",
    );
}

/** Returns the hash; undefined if the value is nested so deeply that the stack overflows, which no plan is. */
function hashOrNothing(content: unknown): string | undefined {
  try {
    return hashOf(content);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
