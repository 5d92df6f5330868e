import {
  findDefaultBranch,
  findMergeBases,
  resolveCommit,
  tryMergeBases,
} from "@skein/git";
import type { Repository, Tip } from "@skein/git";
import type { GitChangesetRequest } from "./git-changeset.js";

/** The commits to compare with: one, or after criss-cross merges several. */
export interface Bases {
  /** What was asked for: a ref, the default branch. */
  readonly name: string;
  readonly commits: readonly [string, ...string[]];
}

type BaseRequest = Pick<
  GitChangesetRequest,
  "base" | "since" | "deepen" | "defaultBranch"
>;

/**
 * Finds the commits that head is compared with. The merge base is asked for at once, beside the question where the
 * branch stands: mostly the guess is right, and a round is saved.
 * @throws {RepositoryError} `unknown-ref`, `no-default-branch`, `no-merge-base`
 */
export async function findBases(
  repository: Repository,
  { base, since, deepen, defaultBranch }: BaseRequest,
  head: Tip,
): Promise<Bases> {
  const { git } = repository;
  if (since !== undefined)
    return { name: since, commits: [await resolveCommit(git, since)] };
  if (base !== undefined) {
    const [commit, known] = await Promise.all([
      resolveCommit(git, base),
      tryMergeBases(git, base, head.commit),
    ]);
    const tip = { name: base, commit };
    return meet(repository, { base: tip, head, deepen, known });
  }
  const [branch, guess] = await Promise.all([
    findDefaultBranch(repository, defaultBranch),
    defaultBranch === undefined
      ? tryMergeBases(git, USUAL, head.commit)
      : undefined,
  ]);
  const known = branch.via === USUAL ? guess : undefined;
  return meet(repository, { base: branch, head, deepen, known });
}

const USUAL = "refs/remotes/origin/HEAD";

async function meet(
  repository: Repository,
  request: Parameters<typeof findMergeBases>[1],
): Promise<Bases> {
  const [first, ...others] = await findMergeBases(repository, request);
  if (first === undefined) throw new Error("findMergeBases answered nothing");
  return { name: request.base.name, commits: [first, ...others] };
}
