import { runVersions, type VersionsOptions } from "@skein/versions";
import { explainProject } from "../registration/facts.js";
import { explainSettings } from "../survey/settings.js";
import type { MigrateWorld } from "../world.js";

/**
 * Runs `migrate-repo versions check|align`.
 * @throws {Failure} if the workspace or its settings can't be read
 */
export async function versions(
  world: MigrateWorld,
  options: VersionsOptions,
): Promise<number> {
  try {
    return await runVersions(world, options);
  } catch (error) {
    throw explainSettings(explainProject(error));
  }
}
