import type { Lockfile } from "@skein/workspaces";
import { parseLock } from "../registration/graft-lock.js";
import { resolutionsBelow } from "../registration/resolutions-below.js";
import type { Placement } from "../migration.js";
import { packDifference } from "../pack/pack-difference.js";
import { fieldsOf } from "../steps/clean-up/package-files.js";
import type { TreeView } from "../tree/draft.js";
import type { KeptTrees } from "./kept-trees.js";

/** Files that npm packs on one side only: paths from the package's folder, sorted. */
export interface PackedApart {
  /** In the source, at the commit that was merged, and not in the workspace. */
  readonly home: readonly string[];
  /** In the workspace, when the migration had landed, and not in the source. */
  readonly here: readonly string[];
}

/**
 * The changes that a migration made beside the history, as found when it landed; kept with the map as `proof.json`. All of
 * it can be computed again from the commits it names.
 */
export interface Proof {
  readonly version: 1;
  /** The source's commit that was merged. */
  readonly source: string;
  /** The workspace's commit before, and the last one of the migration. */
  readonly base: string;
  readonly landed: string;
  /** By folder in the workspace; packages that are private are not packed. */
  readonly packed: Readonly<Record<string, PackedApart>>;
  /** The entries of yarn.lock for everything below the packages: descriptor -> resolution. */
  readonly resolutions: Readonly<Record<string, string>>;
  /** Absent in proofs of before it was kept: they are checked while the commits are there. */
  readonly kept?: KeptTrees;
}

/** Finds what only one side packs. */
export async function findPacked(
  home: TreeView,
  here: TreeView,
  placements: readonly Placement[],
  scratch: string,
): Promise<Proof["packed"]> {
  const packed: Record<string, PackedApart> = {};
  for (const { from, to } of placements) {
    const fields = await fieldsOf(home, from);
    if (!fields || fields["private"] === true) continue;
    const { gone, came } = await packDifference(
      { view: home, dir: from },
      { view: here, dir: to },
      scratch,
    );
    packed[to] = { home: gone, here: came };
  }
  return packed;
}

/** Finds what yarn.lock has for everything below the packages. */
export async function findResolutions(
  view: TreeView,
  placements: readonly Placement[],
): Promise<Proof["resolutions"]> {
  return resolutionsBelow(
    await lockOf(view),
    placements.map(({ to }) => to),
  );
}

/** Returns the yarn.lock of Yarn 2 or newer; an empty one where there is none. */
export async function lockOf(view: TreeView): Promise<Lockfile> {
  return parseLockOf(await view.read("yarn.lock"));
}

/** Returns a file that may be a yarn.lock of Yarn 2 or newer; an empty one where it is none. */
export function parseLockOf(file: Buffer | undefined): Lockfile {
  const text = file?.toString("utf8") ?? "";
  return parseLock(/^__metadata:/m.test(text) ? text : "");
}
