import type { Git } from "@skein/git";
import type { Quarantine } from "../quarantine/quarantine.js";
import { openDraft } from "../tree/draft.js";

/** The merge of two commits, computed without a working tree. */
export interface Merged {
  /** The merged tree; conflicts in it have markers. */
  readonly tree: string;
  /** The paths with conflicts. */
  readonly conflicts: readonly string[];
}

/**
 * Merges two commits with `git merge-tree --write-tree` (git 2.38 and later).
 * @throws {GitError} if git can't merge them, for example because they share no history
 */
export async function mergeTrees(
  git: Git,
  ours: string,
  theirs: string,
): Promise<Merged> {
  const { stdout, exitCode } = await git.run(
    ["merge-tree", "--write-tree", "-z", "--name-only", ours, theirs],
    { answers: [0, 1] },
  );
  const [tree = "", ...rest] = stdout.toString("utf8").split("\0");
  // The paths follow the tree, then an empty field, then messages for people.
  const end = rest.indexOf("");
  return {
    tree,
    conflicts:
      exitCode === 0 ? [] : [...new Set(rest.slice(0, end < 0 ? 0 : end))],
  };
}

/** Returns a merge's tree without files that the clean-up removed and the source may have changed since. */
export async function withoutSettled(
  { git, scratch }: Quarantine,
  { tree, conflicts }: Merged,
  removed: readonly string[],
): Promise<string> {
  const settled = conflicts.filter((path) => removed.includes(path));
  if (settled.length === 0) return tree;
  using draft = await openDraft(git, tree, scratch);
  for (const path of settled) await draft.remove(path);
  return await draft.save();
}
