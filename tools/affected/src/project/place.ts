import { openProjectRepository } from "@skein/changes/begin";
import type { Repository } from "@skein/git";
import type { CliWorld } from "@skein/reporting";
import { usageFailure } from "@skein/reporting/failure";
import { findCommittedRoot } from "@skein/workspaces/committed";
import { findRoot } from "@skein/workspaces/find-root";
import type { HeadStart } from "../head-start.js";

/** The location of the project. */
export interface Place {
  /** Its folder, absolute. */
  readonly root: string;
  /** The repository while it is being opened; rejects if the folder isn't in a repository. */
  readonly opening: Promise<Repository>;
  /** False for a bare repository, or a clone in which nothing was checked out: then everything is read from commits. */
  readonly checkedOut: boolean;
  /** The processes of git that started early, if they are about this project. */
  readonly early: HeadStart | undefined;
}

/**
 * Finds the project that contains the working directory.
 * @param anywhere whether the working directory may be outside of any project, because a pull request can be read from
 * GitHub only
 * @param base the ref that HEAD will be compared with; undefined for the default branch
 * @throws Failure (usage) if there is none
 */
export async function findPlace(
  { cwd, env, signal }: CliWorld,
  anywhere: boolean,
  early?: HeadStart,
  { base }: { readonly base?: string | undefined } = {},
): Promise<Place> {
  const found = findRoot(cwd);
  const root = found ?? cwd;
  const mine = early?.root === root ? early : undefined;
  const opening =
    mine?.opening ?? openProjectRepository({ cwd: root, env, signal }, base);
  // The code that awaits `opening` reports its failure. This handler only prevents an unhandled rejection before that.
  opening.catch(() => undefined);
  if (found !== undefined || anywhere)
    return { root, opening, checkedOut: true, early: mine };
  const committed = await opening.then(findCommittedRoot, () => undefined);
  if (committed === undefined) {
    throw usageFailure(`${cwd} is not in a Yarn workspace`, {
      hint: "run it in a folder below a package.json",
    });
  }
  return { root: committed, opening, checkedOut: false, early: undefined };
}
