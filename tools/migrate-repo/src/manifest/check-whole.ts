import { checkInstall } from "../registration/check-install.js";
import { openQuarantine } from "../quarantine/quarantine.js";
import type { TargetFacts } from "../survey/target.js";
import { openDraft } from "../tree/draft.js";
import type { MigrateWorld } from "../world.js";

/** The result of checking the whole workspace. */
export interface WholeCheck {
  readonly ok: boolean;
  /** Lines for the report. */
  readonly lines: readonly string[];
}

/**
 * Installs and links the whole workspace, and checks its constraints. Each repository of a batch only updates
 * yarn.lock; linking and constraints use the whole workspace, so they run here, once. Writes nothing to the repository.
 * @returns undefined if the target isn't a workspace of Yarn 2 or newer, or has no yarn.lock
 */
export async function checkWhole(
  world: MigrateWorld,
  target: TargetFacts,
): Promise<WholeCheck | undefined> {
  if (target.head === undefined) return undefined;
  world.progress.phase("register");
  const { env } = world;
  await using quarantine = await openQuarantine({ target, env });
  const { git, scratch } = quarantine;
  using draft = await openDraft(git, target.head, scratch);
  try {
    return await checkInstall(draft, scratch, target.git.env);
  } finally {
    world.progress.end();
  }
}
