import { Failure } from "@skein/reporting";
import { build, type Built } from "./build.js";
import { decide, decideEarly } from "./gather.js";
import { openJournal } from "./landing/journal.js";
import { stageLanding } from "./landing/stage.js";
import type { MigrationRequest, StepPlan } from "./migration.js";
import { planSteps } from "./plan-steps.js";
import type { Plan, Refusal } from "./plan.js";
import { explainSourceError } from "./source-failure.js";
import { SourceError } from "./survey/announcement.js";
import { surveyTarget } from "./survey/target.js";
import { openWork } from "./work.js";
import type { MigrateWorld } from "./world.js";

/** What came of one repository. */
export type AddOutcome =
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  | { readonly kind: "planned"; readonly plan: Plan }
  | {
      readonly kind: "landed";
      readonly plan: Plan;
      readonly built: Built;
      /** Milliseconds. */
      readonly took: number;
    };

export interface AddOptions {
  readonly dryRun: boolean;
  /** Called with the plan before anything of it is done. */
  readonly onPlan: (plan: Plan, steps: readonly StepPlan[]) => void;
}

/**
 * Brings one repository into the workspace: look, decide, say, build, land.
 * @throws {Failure} when the source cannot be read, or the world fails; the workspace is then as it was
 */
export async function addRepository(
  world: MigrateWorld,
  request: MigrationRequest,
  { dryRun, onPlan }: AddOptions,
): Promise<AddOutcome> {
  const { progress, now, cwd, env } = world;
  const started = now();
  progress.phase("look");
  const target = await surveyTarget(cwd, env);
  const pending = await openJournal(target.commonDir).read();
  const early = await decideEarly(request, target, cwd, pending?.name);
  if (early.kind === "refused") return early;
  await using work = await openWork(world, target, early.address, dryRun);
  const { quarantine } = work;
  const decision = await decide(
    request,
    target,
    early.address,
    quarantine,
    progress,
  ).catch((error: unknown) => {
    throw error instanceof SourceError ? explainSourceError(error) : error;
  });
  if (decision.kind === "refused") return decision;
  const { plan } = decision;
  const steps = await planSteps(plan, target, quarantine);
  progress.end();
  onPlan(plan, steps);
  if (dryRun) return { kind: "planned", plan };
  stopIfInterrupted(world);
  const { identity } = target;
  if (!identity) throw new Error("refuseTarget lets no such target through");
  const committer = { ...identity, now: now() };
  const built = await build(plan, target, quarantine, committer, progress);
  stopIfInterrupted(world);
  progress.phase("land");
  const landing = await stageLanding({
    target,
    quarantine,
    newHead: built.newHead,
    refs: built.refs,
    message: `migrate-repo: add ${plan.name}`,
  });
  await work.land(landing, plan.name);
  progress.end();
  return { kind: "landed", plan, built, took: now() - started };
}

/** Between phases: before the landing nothing has been touched, so stopping is free. */
function stopIfInterrupted({ signal }: MigrateWorld): void {
  if (signal.aborted)
    throw new Failure("Interrupted; the workspace is as it was.");
}
