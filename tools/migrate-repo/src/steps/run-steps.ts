import type { StepPlan } from "../migration.js";
import type { Draft, TreeView } from "../tree/draft.js";
import type { Step, StepContext, StepNote } from "./step.js";

export interface StepResult {
  readonly plan: StepPlan;
  readonly notes: readonly StepNote[];
}

/**
 * Runs each step on the result of the previous ones.
 * @param skip ids of steps that are turned off
 */
export async function runSteps(
  steps: readonly Step[],
  draft: Draft,
  context: StepContext,
  skip: readonly string[],
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    if (skip.includes(step.id)) continue;
    const work = await step.decide(draft, context);
    if (!work) continue;
    const { apply, ...plan } = work;
    results.push({ plan: { id: step.id, ...plan }, notes: await apply(draft) });
  }
  return results;
}

/** Returns what each step would do on the current tree, without doing it. */
export async function describeSteps(
  steps: readonly Step[],
  view: TreeView,
  context: StepContext,
  skip: readonly string[],
): Promise<readonly StepPlan[]> {
  const plans: StepPlan[] = [];
  for (const step of steps) {
    if (skip.includes(step.id)) continue;
    const work = await step.decide(view, context);
    if (work) plans.push({ id: step.id, what: work.what, why: work.why });
  }
  return plans;
}
