import { ExitCode, Failure } from "@skein/reporting";
import { build } from "./build.js";
import { decide, decideEarly } from "./gather.js";
import { openJournal } from "./landing/journal.js";
import { stageLanding } from "./landing/stage.js";
import type { MigrationRequest } from "./migration.js";
import { planSteps } from "./plan-steps.js";
import type { Refusal } from "./plan.js";
import { exitCodeOf } from "./problems.js";
import { renderPlan, renderRefusals, renderReport } from "./render.js";
import { explainSourceError } from "./source-failure.js";
import { SourceError } from "./survey/announcement.js";
import { surveyTarget } from "./survey/target.js";
import { openWork } from "./work.js";
import type { MigrateWorld } from "./world.js";

/**
 * Brings one repository into the workspace: look, decide, say, build, land, report.
 * @returns the exit code
 */
export async function runAdd(
  world: MigrateWorld,
  request: MigrationRequest,
  dryRun: boolean,
): Promise<number> {
  const { progress, now, cwd, env, stdout } = world;
  const started = now();
  progress.phase("look");
  const target = await surveyTarget(cwd, env);
  const pending = await openJournal(target.commonDir).read();
  const early = await decideEarly(request, target, cwd, pending?.name);
  if (early.kind === "refused") return refuse(world, early.refusals);
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
  if (decision.kind === "refused") return refuse(world, decision.refusals);
  const { plan } = decision;
  const steps = await planSteps(plan, target, quarantine);
  progress.end();
  stdout.write(renderPlan(plan, steps));
  if (dryRun) return ExitCode.Ok;
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
  stdout.write(renderReport(plan, built, now() - started));
  return ExitCode.Ok;
}

function refuse(world: MigrateWorld, refusals: readonly Refusal[]): number {
  world.progress.end();
  world.stderr.write(renderRefusals(refusals));
  return exitCodeOf(refusals);
}

/** Between phases: before the landing nothing has been touched, so stopping is free. */
function stopIfInterrupted({ signal }: MigrateWorld): void {
  if (!signal.aborted) return;
  throw new Failure("Interrupted; the workspace is as it was.");
}
