import { openProjectRepository } from "@skein/changes";
import type { Repository } from "@skein/git";
import { usageFailure } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import { findCommittedRoot } from "@skein/workspaces";
import { findProjectRoot } from "./find-root.js";
import type { HeadStart } from "./head-start.js";

/** Where the project lies. */
export interface Place {
  /** Its folder, absolute. */
  readonly root: string;
  /** Being opened; fails where the folder is in no repository. */
  readonly opening: Promise<Repository>;
  /** False for a bare repository, or a clone in which nothing was checked out: all is read from commits. */
  readonly checkedOut: boolean;
  /** What git was asked before, of this very project. */
  readonly begun: HeadStart | undefined;
}

/**
 * Finds the project that the user stands in.
 * @param anywhere whether it may be nowhere: a pull request can be read from GitHub alone
 * @throws Failure (usage) where there is none
 */
export async function findPlace(
  { cwd, env, signal }: CliWorld,
  anywhere: boolean,
  begun?: HeadStart,
): Promise<Place> {
  const found = findProjectRoot(cwd);
  const root = found ?? cwd;
  const mine = begun?.root === root ? begun : undefined;
  const opening =
    mine?.opening ??
    openProjectRepository({ cwd: root, env, signal }, undefined);
  // Whoever asks for it hears of its failure; until then it is nobody's.
  opening.catch(() => undefined);
  if (found !== undefined || anywhere)
    return { root, opening, checkedOut: true, begun: mine };
  const committed = await opening.then(findCommittedRoot, () => undefined);
  if (committed === undefined) {
    throw usageFailure(`${cwd} is in no Yarn workspace`, {
      hint: "run it in a folder below a package.json",
    });
  }
  return { root: committed, opening, checkedOut: false, begun: undefined };
}
