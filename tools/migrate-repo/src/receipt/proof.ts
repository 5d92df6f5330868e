import type { Lockfile } from "@skein/workspaces";
import { parseLock } from "../registration/graft-lock.js";
import { resolutionsBelow } from "../registration/resolutions-below.js";
import type { Placement } from "../migration.js";
import { packDifference } from "../pack/pack-difference.js";
import { fieldsOf } from "../steps/clean-up/manifest/package-files.js";
import type { TreeView } from "../tree/draft.js";
import type { KeptTrees } from "./kept-trees.js";

/** Files that npm packs on only one side: paths relative to the package's folder, sorted. */
export interface PackedApart {
  /** Files that are packed in the source, at the merged commit, but not in the workspace. */
  readonly home: readonly string[];
  /** Files that are packed in the workspace, after the landing, but not in the source. */
  readonly here: readonly string[];
}

/**
 * The effects of a migration outside the history, as found at the landing. They are stored with the map as
 * `proof.json`, and can be computed again from the commits in it.
 */
export interface Proof {
  readonly version: 1;
  /** The source's commit that was merged. */
  readonly source: string;
  /** The workspace's commit before the migration; `landed` is the last commit of the migration. */
  readonly base: string;
  readonly landed: string;
  /** Packed files by folder in the workspace; private packages aren't packed. */
  readonly packed: Readonly<Record<string, PackedApart>>;
  /** The entries of yarn.lock for everything below the packages: descriptor -> resolution. */
  readonly resolutions: Readonly<Record<string, string>>;
  /** Absent in older proofs, which can be checked only while the commits exist. */
  readonly kept?: KeptTrees | undefined;
}

/** Finds files that only one side packs. */
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

/** Finds the entries of yarn.lock for everything below the packages. */
export async function findResolutions(
  view: TreeView,
  placements: readonly Placement[],
): Promise<Proof["resolutions"]> {
  return resolutionsBelow(
    await lockOf(view),
    placements.map(({ to }) => to),
  );
}

/** Reads the yarn.lock of Yarn 2 or newer; an empty one if there is none. */
export async function lockOf(view: TreeView): Promise<Lockfile> {
  return parseLockOf(await view.read("yarn.lock"));
}

/** Parses a file that may be a yarn.lock of Yarn 2 or newer; returns an empty lockfile if it isn't. */
export function parseLockOf(file: Buffer | undefined): Lockfile {
  const text = file?.toString("utf8") ?? "";
  return parseLock(/^__metadata:/m.test(text) ? text : "");
}
