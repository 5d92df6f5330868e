import { placeAll } from "../history/bring-history.js";
import { commitMap } from "../history/commit-map.js";
import type { StepPlan } from "../migration.js";
import type { Plan } from "./plan.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { registrationSteps } from "../registration/index.js";
import { steps } from "../steps/index.js";
import { describeSteps, runSteps } from "../steps/run-steps.js";
import type { StepContext } from "../steps/step.js";
import type { TargetFacts } from "../survey/target.js";
import { openDraft } from "../tree/draft.js";

/**
 * What the clean-up and the registration will do, for the plan: done on a draft that is thrown away, so that each step
 * is described as it will find things; what runs Yarn is only described.
 */
export async function planSteps(
  plan: Plan,
  target: TargetFacts,
  { git, scratch }: Quarantine,
): Promise<readonly StepPlan[]> {
  const { head } = plan.target;
  const draft = await openDraft(git, head, scratch);
  const before = await openDraft(git, head, scratch);
  const source = await openDraft(git, plan.tip, scratch);
  try {
    await placeAll(git, draft, plan.placements, plan.tip);
    const context: StepContext = {
      name: plan.name,
      placements: plan.placements,
      before,
      source,
      versions: plan.request.versions,
      install: plan.request.install,
      link: true,
      targetSlug: target.slug,
      sourceSlug: plan.source.slug,
      commits: commitMap([]),
      scratch,
      env: target.git.env,
    };
    const { skip, register } = plan.request;
    const cleanUp = await runSteps(steps, draft, context, skip);
    const registration =
      register && target.packages !== undefined
        ? [
            ...(await runSteps(
              registrationSteps.filter(({ external }) => !external),
              draft,
              context,
              skip,
            )),
            ...(
              await describeSteps(
                registrationSteps.filter(({ external }) => external),
                draft,
                context,
                skip,
              )
            ).map((step) => ({ plan: step })),
          ]
        : [];
    return [...cleanUp, ...registration].map((result) => result.plan);
  } finally {
    draft.close();
    before.close();
    source.close();
  }
}
