import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkInstall } from "../registration/check-install.js";
import type { MigrationRequest } from "../migration.js";
import { openQuarantine } from "../quarantine.js";
import { surveyTarget } from "../survey/target.js";
import { openDraft } from "../tree/draft.js";
import type { MigrateWorld } from "../world.js";

/** What came of the workspace with everything in it. */
export interface WholeCheck {
  readonly ok: boolean;
  /** For the report. */
  readonly lines: readonly string[];
}

/**
 * Each repository of a batch brings yarn.lock up to date; linking and constraints, which look at all of the workspace,
 * are done here, once. Writes nothing into the repository.
 * @returns undefined where no repository of the batch is to be installed
 */
export async function checkWhole(
  world: MigrateWorld,
  requests: readonly Pick<MigrationRequest, "register" | "install" | "skip">[],
): Promise<WholeCheck | undefined> {
  if (
    !requests.some(
      ({ register, install, skip }) =>
        register && install && !skip.includes("install"),
    )
  )
    return undefined;
  const target = await surveyTarget(world.cwd, world.env);
  if (target.head === undefined || target.packages === undefined)
    return undefined;
  world.progress.phase("register");
  const quarantine = await openQuarantine({
    parent: join(tmpdir(), "skein-migrate"),
    targetObjects: target.objects,
    objectFormat: target.objectFormat,
    env: world.env,
  });
  try {
    const { git, scratch } = quarantine;
    const draft = await openDraft(git, target.head, scratch);
    try {
      return await checkInstall(draft, scratch, target.git.env);
    } finally {
      draft.close();
    }
  } finally {
    await quarantine.remove();
    world.progress.end();
  }
}
