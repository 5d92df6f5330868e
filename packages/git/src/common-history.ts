import { RepositoryError } from "./errors.js";
import { isCertain, mergeBases } from "./merge-base.js";
import type { Repository } from "./repository.js";

/** One of the two commits whose common history is asked for. */
export interface Tip {
  /** As the user says it; for words. */
  readonly name: string;
  /** The full ref name, where there is one: it says what to fetch. */
  readonly ref?: string;
  readonly commit: string;
}

export interface CommonHistoryRequest {
  readonly base: Tip;
  readonly head: Tip;
  /** Whether a shallow clone may fetch what is missing. */
  readonly deepen: "auto" | "never";
  /** The answer of `mergeBases`, where the caller has it already. */
  readonly known?: readonly string[] | undefined;
}

/**
 * The merge bases of two commits, of which a shallow clone's are only believed when no history is missing that could
 * hold nearer ones.
 * @returns at least one commit id
 * @throws {RepositoryError} `no-merge-base`
 */
export async function findMergeBases(
  { git, isShallow }: Pick<Repository, "git" | "isShallow">,
  { base, head, known }: CommonHistoryRequest,
): Promise<readonly string[]> {
  const bases = known ?? (await mergeBases(git, base.commit, head.commit));
  const enough = isShallow
    ? await isCertain(git, base.commit, head.commit, bases)
    : bases.length > 0;
  if (enough) return bases;
  throw new RepositoryError({
    kind: "no-merge-base",
    base: base.name,
    head: head.name,
    why: isShallow ? "shallow" : "unrelated",
    command: isShallow ? "git fetch --unshallow" : undefined,
    said: undefined,
  });
}
