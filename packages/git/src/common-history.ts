import { deepenUntilMergeBase, meeting } from "./deepen.js";
import { RepositoryError, wordsOf } from "./errors.js";
import { mergeBases } from "./merge-base.js";
import { chooseRemote, openRemote } from "./remote.js";
import type { Repository } from "./repository.js";
import { shellWord } from "./shell-word.js";

/** One of the two commits whose common history is asked for. */
export interface Tip {
  /** As the user says it; for words. */
  readonly name: string;
  /** The remote-tracking ref that it is, or would be: it says which remote to ask. */
  readonly ref?: string;
  readonly commit: string;
}

/** Whether history that is missing here may be fetched. */
export type Deepen = "auto" | "never";

export interface CommonHistoryRequest {
  readonly base: Tip;
  readonly head: Tip;
  readonly deepen: Deepen;
  /** The answer of `mergeBases`, where the caller has it already. */
  readonly known?: readonly string[] | undefined;
}

/**
 * Returns the merge bases of two commits. A shallow clone's are only believed when no history is missing that could hold
 * nearer ones; else the clone is deepened, step by step.
 * @returns at least one commit id
 * @throws {RepositoryError} `no-merge-base`, with the command that would fetch the history
 */
export async function findMergeBases(
  repository: Repository,
  { base, head, deepen, known }: CommonHistoryRequest,
): Promise<readonly string[]> {
  const unmet = (
    why: "shallow" | "unrelated",
    { command, said }: { command?: string; said?: string } = {},
  ) =>
    new RepositoryError({
      kind: "no-merge-base",
      base: base.name,
      head: head.name,
      why,
      command,
      said,
    });

  if (!repository.isShallow) {
    const bases =
      known ?? (await mergeBases(repository.git, base.commit, head.commit));
    if (bases.length === 0) throw unmet("unrelated");
    return bases;
  }
  const here = await meeting(repository, base.commit, head.commit, known);
  if (here.cut.length === 0) {
    if (here.bases.length === 0) throw unmet("unrelated");
    return here.bases;
  }
  const name = await chooseRemote(repository, base.ref);
  if (name === undefined) throw unmet("shallow");
  const command = `git fetch --unshallow ${shellWord(name)}`;
  if (deepen === "never") throw unmet("shallow", { command });
  const remote = await openRemote(repository.git, name);
  const bases = await deepenUntilMergeBase(
    repository,
    remote,
    base.commit,
    head.commit,
  ).catch((error: unknown) => {
    repository.git.signal?.throwIfAborted();
    throw unmet("shallow", { command, said: wordsOf(error) });
  });
  if (bases.length === 0) throw unmet("unrelated");
  return bases;
}
