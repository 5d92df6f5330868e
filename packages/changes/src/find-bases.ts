import {
  askDefaultBranch,
  findDefaultBranch,
  findMergeBases,
  RepositoryError,
  resolveBase,
  tryMergeBases,
} from "@skein/git";
import type { CommonHistoryRequest, Repository, Tip } from "@skein/git";
import type { GitChangesetRequest } from "./git-changeset.js";

/** The commits to compare with: one, or after criss-cross merges several. */
export interface Bases {
  /** What was asked for: a ref, the default branch. */
  readonly name: string;
  readonly commits: readonly [string, ...string[]];
  /** The ref whose merge base with head they are; undefined where there was no merge base to find. */
  readonly via: string | undefined;
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
  if (since !== undefined) {
    const { commit } = await resolveBase(repository, since, deepen);
    return { name: since, commits: [commit], via: undefined };
  }
  if (base !== undefined) {
    const [tip, known] = await Promise.all([
      resolveBase(repository, base, deepen),
      tryMergeBases(git, base, head.commit),
    ]);
    return meet(repository, {
      base: { ...tip, via: base },
      head,
      deepen,
      known,
    });
  }
  const [branch, guess] = await Promise.all([
    branchToCompareWith(repository, deepen, defaultBranch),
    defaultBranch === undefined
      ? tryMergeBases(git, USUAL, head.commit)
      : undefined,
  ]);
  const known = branch.via === USUAL ? guess : undefined;
  return meet(repository, { base: branch, head, deepen, known });
}

async function branchToCompareWith(
  repository: Repository,
  deepen: GitChangesetRequest["deepen"],
  setting: string | undefined,
): Promise<Via> {
  try {
    return await findDefaultBranch(repository, setting);
  } catch (error) {
    if (!(error instanceof RepositoryError) || !repository.isShallow)
      throw error;
    if (deepen === "never") throw error;
    const asked = await askDefaultBranch(repository, setting);
    if (asked === undefined) throw error;
    return { ...asked, via: undefined };
  }
}

/** The ref that the base will most likely come from, before anything is known; undefined where there is no guess. */
export function likelyBase({
  base,
  since,
  defaultBranch,
}: BaseRequest): string | undefined {
  if (since !== undefined || defaultBranch !== undefined) return undefined;
  return base ?? USUAL;
}

type Via = Tip & { readonly via: string | undefined };

const USUAL = "refs/remotes/origin/HEAD";

async function meet(
  repository: Repository,
  request: CommonHistoryRequest & { readonly base: Via },
): Promise<Bases> {
  const [first, ...others] = await findMergeBases(repository, request);
  if (first === undefined) throw new Error("findMergeBases answered nothing");
  const { name, via } = request.base;
  return { name, commits: [first, ...others], via };
}
