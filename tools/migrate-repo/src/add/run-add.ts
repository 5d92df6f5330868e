import { ExitCode } from "@skein/reporting";
import { addRepository } from "./add-repository.js";
import type { MigrationRequest } from "../migration.js";
import { pullEvent, renderPullReport } from "../pulls/render-pulls.js";
import { renderPlan, renderReport } from "./render-add.js";
import {
  renderScripts,
  scriptsEvent,
  scriptsPassed,
} from "../scripts/render-scripts.js";
import { planEvent, reportEvent } from "./add-events.js";
import { refuse } from "../refusals/refuse.js";
import type { MigrateWorld } from "../world.js";

/**
 * Runs `migrate-repo add`: migrates one repository into the workspace and reports the result.
 * @returns the exit code
 */
export async function runAdd(
  world: MigrateWorld,
  request: MigrationRequest,
  { dryRun }: { readonly dryRun: boolean },
): Promise<number> {
  const { progress, print } = world;
  const outcome = await addRepository(world, request, {
    dryRun,
    onPlan: (plan, steps) =>
      print(renderPlan(plan, steps), planEvent(plan, steps)),
  });
  progress.end();
  if (outcome.kind === "refused") return refuse(world, outcome.refusals);
  if (outcome.kind === "planned") return ExitCode.Ok;
  const { plan, scripts, pulls, pullsFailure } = outcome;
  print(renderReport(outcome), reportEvent(outcome));
  if (scripts) print(renderScripts(plan, scripts), scriptsEvent(scripts));
  if (pulls) print(renderPullReport(pulls), pullEvent(pulls));
  if (pullsFailure) throw pullsFailure;
  return scripts && !scriptsPassed(scripts) ? ExitCode.Bad : ExitCode.Ok;
}
