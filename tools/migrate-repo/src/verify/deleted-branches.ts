import type { Git } from "@skein/git";
import type { MigrationRecord } from "../record/record.js";
import { presentObjects } from "../survey/commits.js";

/** A branch that was brought, and that the workspace no longer has. */
export interface DeletedBranch {
  /** Full name. */
  readonly ref: string;
  /** Its last commit here. */
  readonly id: string;
  readonly fate: BranchFate;
}

export type BranchFate =
  /** Its commits are in the history of another ref. */
  | "held"
  /** Nothing holds them; git has not collected them yet. */
  | "loose"
  /** They are gone, and their originals are to be had: kept here, or at the source. */
  | "original"
  /** They are gone, and so are their originals. */
  | "lost";

/**
 * Finds branches that came along and were deleted since. Everybody may delete one, and nothing is lost while
 * its commits can be had somewhere.
 * @param git the target's
 * @param hasOriginal whether a commit of the source that became this one is to be had
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
