import {
  askDefaultBranch,
  findDefaultBranch,
  findMergeBases,
  RepositoryError,
  resolveBase,
} from "@skein/git";
import type { CommonHistoryRequest, Repository, Tip } from "@skein/git";
import type { GitChangesetRequest } from "./git-changeset.js";

/** The commits to compare with: one, or several after criss-cross merges. */
export interface Bases {
  /** The base as requested: a ref, the default branch. */
  readonly name: string;
  readonly commits: readonly [string, ...string[]];
}

type BaseRequest = Pick<
  GitChangesetRequest,
  "base" | "since" | "deepen" | "defaultBranch"
>;

/**
 * Finds the commits that head is compared with. Opening the repository has usually found them already; then no process
 * runs.
 * @throws {RepositoryError} `unknown-ref`, `no-default-branch`, `no-merge-base`
 */
export async function findBases(
  repository: Repository,
  { base, since, deepen, defaultBranch }: BaseRequest,
  head: Tip,
): Promise<Bases> {
  const { mergeBase } = repository.known;
  const known = (ref: string) =>
    mergeBase?.ref === ref && head.commit === repository.head
      ? mergeBase.bases
      : undefined;
  const isHead = since === "HEAD" && head.commit === repository.head;
  if (since !== undefined && (isHead || since === head.name))
    return { name: since, commits: [head.commit] };
  if (since !== undefined) {
    const { commit } = await resolveBase(repository, since, deepen);
    return { name: since, commits: [commit] };
  }
  if (base !== undefined) {
    const tip = await resolveBase(repository, base, deepen);
    return meet(repository, { base: tip, head, deepen, known: known(base) });
  }
  const branch = await branchToCompareWith(repository, deepen, defaultBranch);
  return meet(repository, {
    base: branch,
    head,
    deepen,
    known: branch.via === undefined ? undefined : known(branch.via),
  });
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

type Via = Tip & { readonly via: string | undefined };

async function meet(
  repository: Repository,
  request: CommonHistoryRequest,
): Promise<Bases> {
  const [first, ...others] = await findMergeBases(repository, request);
  if (first === undefined) throw new Error("findMergeBases answered nothing");
  return { name: request.base.name, commits: [first, ...others] };
}
