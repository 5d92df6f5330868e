import { ExitCode } from "@skein/reporting";
import { addRepository } from "./add-repository.js";
import type { MigrationRequest } from "./migration.js";
import { exitCodeOf } from "./refusals/index.js";
import { pullEvent, renderPullReport } from "./pulls/render-pulls.js";
import { renderPlan, renderRefusals, renderReport } from "./render.js";
import {
  renderScripts,
  scriptsEvent,
  scriptsPassed,
} from "./scripts/render-scripts.js";
import { planEvent, refusalEvents, reportEvent } from "./render-json.js";
import type { MigrateWorld } from "./world.js";

/**
 * `migrate-repo add`: brings one repository into the workspace and tells about it.
 * @returns the exit code
 */
export async function runAdd(
  world: MigrateWorld,
  request: MigrationRequest,
  options: { readonly dryRun: boolean; readonly json: boolean },
): Promise<number> {
  const { stdout, stderr, progress } = world;
  const event = (value: unknown) => stdout.write(`${JSON.stringify(value)}\n`);
  const outcome = await addRepository(world, request, {
    dryRun: options.dryRun,
    onPlan: (plan, steps) =>
      options.json
        ? event(planEvent(plan, steps))
        : stdout.write(renderPlan(plan, steps)),
  });
  progress.end();
  switch (outcome.kind) {
    case "refused":
      if (options.json) refusalEvents(outcome.refusals).forEach(event);
      stderr.write(renderRefusals(outcome.refusals));
      return exitCodeOf(outcome.refusals);
    case "planned":
      return ExitCode.Ok;
    case "landed":
      if (options.json) {
        event(reportEvent(outcome));
        if (outcome.scripts) event(scriptsEvent(outcome.scripts));
        if (outcome.pulls) event(pullEvent(outcome.pulls));
      } else {
        stdout.write(renderReport(outcome));
        if (outcome.scripts)
          stdout.write(renderScripts(outcome.plan, outcome.scripts));
        if (outcome.pulls) stdout.write(renderPullReport(outcome.pulls));
      }
      if (outcome.pullsFailure) throw outcome.pullsFailure;
      return outcome.scripts && !scriptsPassed(outcome.scripts)
        ? ExitCode.Bad
        : ExitCode.Ok;
  }
}
