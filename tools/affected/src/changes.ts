import { readGitChangeset } from "@skein/changes";
import type { Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import type { CliWorld } from "@skein/reporting";
import type { Settings } from "@skein/workspaces";
import type { ChangeOptions } from "./command.js";

/** Reads the changeset that was asked for, from where it was asked for. */
export async function readChangeset(
  _world: CliWorld,
  repository: Repository,
  settings: Settings,
  options: ChangeOptions,
): Promise<Changeset> {
  const { base, head, since } = options;
  return readGitChangeset(repository, {
    ...(base !== undefined && { base }),
    ...(head !== undefined && { head }),
    ...(since !== undefined && { since }),
    workingTree: !options.committed,
    deepen: options.deepen,
    onMissingBase: options.fallback === "all" ? "everything" : "error",
    ...(settings.defaultBranch !== undefined && {
      defaultBranch: settings.defaultBranch,
    }),
  });
}
