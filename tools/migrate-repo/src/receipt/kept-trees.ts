import type { Git } from "@skein/git";
import type { Placement } from "../migration.js";
import { emptyTree } from "../objects/tree-object.js";
import { packRulesAbove } from "../pack/packed-files.js";
import { openDraft, type Draft, type TreeView } from "../tree/draft.js";

/**
 * The inputs of a proof, stored with it. They make it possible to compare the lists of packed files and all of
 * yarn.lock even if the migration's own commits no longer exist, after a squash or a rebase. Git has these objects
 * anyway.
 */
export interface KeptTrees {
  /** The landed packages with yarn.lock and the ignore files above them: a tree, by their paths. */
  readonly landed: string;
  /** yarn.lock before the migration: a blob; undefined if it didn't exist. */
  readonly lockBefore?: string | undefined;
}

/** Writes the trees that a proof is computed from. */
export async function keepTrees(
  git: Git,
  before: TreeView,
  landed: Draft,
  placements: readonly Placement[],
  scratch: string,
): Promise<KeptTrees> {
  const [lockBefore, root] = [
    await before.stat("yarn.lock"),
    await landed.save(),
  ];
  using kept = await openDraft(git, emptyTree(root.length), scratch);
  const above = new Set(["yarn.lock"]);
  for (const { to } of placements) {
    const tree = await landed.saveFolder(to);
    if (tree === undefined) above.add(to);
    else await kept.place(to, tree);
    for (const rule of packRulesAbove(to)) above.add(rule);
  }
  for (const path of above) {
    const file = await landed.stat(path);
    if (file) await kept.link(path, file);
  }
  return { landed: await kept.save(), lockBefore: lockBefore?.id };
}
