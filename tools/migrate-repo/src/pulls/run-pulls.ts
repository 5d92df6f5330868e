import { ExitCode } from "@skein/reporting";
import type { MigrateWorld } from "../world.js";
import { pullEvent, renderPullReport } from "./render-pulls.js";
import { runTransplant } from "./run-transplant.js";

/**
 * Runs `migrate-repo sync --prs` after the sync: reports which pull requests could be carried, and carries them with
 * `--transplant`. @returns the exit code
 */
export async function runPulls(
  world: MigrateWorld,
  name: string,
  options: {
    readonly transplant: boolean;
    readonly dryRun: boolean;
    readonly allowSecrets: boolean;
    readonly github: string | undefined;
  },
): Promise<number> {
  const dryRun = options.dryRun || !options.transplant;
  const report = await runTransplant(world, name, { ...options, dryRun });
  world.print(renderPullReport(report, dryRun), pullEvent(report));
  return ExitCode.Ok;
}
