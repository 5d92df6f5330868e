import { commitMap } from "../history/commit-map.js";
import type { StepPlan } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { registrationSteps } from "../registration/index.js";
import { steps } from "../steps/index.js";
import { describeSteps, runSteps } from "../steps/run-steps.js";
import type { TargetFacts } from "../survey/target.js";
import { placeSource } from "./place-source.js";
import type { Plan } from "./plan.js";

/**
 * Describes the clean-up and the registration for the plan. The steps run on a temporary draft, so that each step sees
 * the result of the previous ones. Steps that run Yarn are only described.
 */
export async function planSteps(
  plan: Plan,
  target: TargetFacts,
  quarantine: Quarantine,
): Promise<readonly StepPlan[]> {
  const { skip } = plan.request;
  using placed = await placeSource(plan, target, quarantine, {
    commits: commitMap([]),
    link: true,
  });
  const { draft, context } = placed;
  const run = async (list: typeof steps) => {
    const results = await runSteps(list, draft, context, skip);
    return results.map((result) => result.plan);
  };
  const cleanUp = await run(steps);
  if (!registers(plan, target)) return cleanUp;
  const own = registrationSteps.filter(({ external }) => !external);
  const external = registrationSteps.filter((step) => step.external);
  return [
    ...cleanUp,
    ...(await run(own)),
    ...(await describeSteps(external, draft, context, skip)),
  ];
}

/**
 * Returns whether to register the package. It isn't registered if the request turns that off, or if the target isn't a
 * workspace.
 */
export function registers(
  { request }: Pick<Plan, "request">,
  { packages }: Pick<TargetFacts, "packages">,
): boolean {
  return request.register && packages !== undefined;
}
