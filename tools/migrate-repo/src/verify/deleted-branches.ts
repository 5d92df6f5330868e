import type { Git } from "@skein/git";
import type { MigrationRecord } from "../record/record-format.js";
import { presentObjects } from "../survey/commits.js";

/** A migrated branch that the workspace no longer has. */
export interface DeletedBranch {
  /** The full name. */
  readonly ref: string;
  /** Its last commit here. */
  readonly id: string;
  readonly fate: BranchFate;
}

export type BranchFate =
  /** Its commits are in the history of another ref. */
  | "held"
  /** No ref holds its commits, but git has not removed them yet. */
  | "loose"
  /** Its commits no longer exist, but their originals do: here, or in the source. */
  | "original"
  /** Neither its commits nor their originals exist any more. */
  | "lost";

/**
 * Finds migrated branches that were deleted since. Everybody may delete one, and nothing is lost while its commits
 * still exist somewhere.
 * @param git the target's git
 * @param hasOriginal whether the original of a new commit is available
 */
export async function findDeletedBranches(
  git: Git,
  refs: ReadonlyMap<string, string>,
  { madeBranches }: MigrationRecord,
  hasOriginal: (id: string) => boolean,
): Promise<readonly DeletedBranch[]> {
  const deleted = madeBranches.filter(({ to }) => !refs.has(to));
  const ids = deleted.map(({ id }) => id);
  const here = new Set(await presentObjects(git, "commit", ids));
  return Promise.all(
    deleted.map(async ({ to: ref, id }) => {
      if (here.has(id))
        return { ref, id, fate: (await isHeld(git, id)) ? "held" : "loose" };
      return { ref, id, fate: hasOriginal(id) ? "original" : "lost" };
    }),
  );
}

async function isHeld(git: Git, id: string): Promise<boolean> {
  const { stdout } = await git.run([
    "for-each-ref",
    "--count=1",
    `--contains=${id}`,
  ]);
  return stdout.length > 0;
}
