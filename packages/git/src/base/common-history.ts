import { deepenUntilMergeBase, knownMergeBases } from "./deepen.js";
import { RepositoryError, wordsOf } from "../errors.js";
import { mergeBases } from "./merge-base.js";
import { chooseRemote, openRemote } from "./remote.js";
import type { Repository } from "../repository.js";
import { shellWord } from "../shell-word.js";

/** One of the two commits whose common history is requested. */
export interface Tip {
  /** The name as the user wrote it, for messages. */
  readonly name: string;
  /** The remote-tracking ref with this name, which may not exist. It determines the remote to fetch from. */
  readonly ref?: string;
  readonly commit: string;
}

/** Whether Skein may fetch history that is missing in the clone. */
export type Deepen = "auto" | "never";

export interface CommonHistoryRequest {
  readonly base: Tip;
  readonly head: Tip;
  readonly deepen: Deepen;
  /** The result of `mergeBases`, if the caller already has it. */
  readonly known?: readonly string[] | undefined;
}

/**
 * Returns the merge bases of two commits. A shallow clone may lack history that contains nearer ones. Skein then
 * deepens the clone step by step until the merge bases are certain.
 * @returns at least one commit id
 * @throws {RepositoryError} `no-merge-base`, with the command that would fetch the history
 */
export async function findMergeBases(
  repository: Repository,
  { base, head, deepen, known }: CommonHistoryRequest,
): Promise<readonly string[]> {
  const unmet = (
    why: "shallow" | "unrelated",
    { command, message }: { command?: string; message?: string } = {},
  ) =>
    new RepositoryError({
      kind: "no-merge-base",
      base: base.name,
      head: head.name,
      why,
      command,
      message,
    });

  if (!repository.isShallow) {
    const bases =
      known ?? (await mergeBases(repository.git, base.commit, head.commit));
    if (bases.length === 0) throw unmet("unrelated");
    return bases;
  }
  const here = await knownMergeBases(
    repository,
    base.commit,
    head.commit,
    known,
  );
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
    throw unmet("shallow", { command, message: wordsOf(error) });
  });
  if (bases.length === 0) throw unmet("unrelated");
  return bases;
}
