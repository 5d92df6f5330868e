import type { Deepen, Tip } from "./common-history.js";
import { deepenUntilFound } from "./deepen.js";
import { wordsOf } from "../errors.js";
import { findCommit, isObjectId, unknownRef } from "../refs.js";
import { chooseRemote, openRemote } from "./remote.js";
import type { Repository } from "../repository.js";
import { shellWord } from "../shell-word.js";

/**
 * Returns the commit that a base or a head names. A missing commit is fetched if its name determines the remote: a
 * commit id, or in a shallow clone `origin/main`. No ref is created for it.
 * @throws {RepositoryError} `unknown-ref`, with refs of a similar name and the command that would fetch it
 */
export async function resolveBase(
  repository: Repository,
  name: string,
  deepen: Deepen,
): Promise<Tip> {
  const { git, known } = repository;
  const commit =
    known.mergeBase?.ref === name
      ? known.mergeBase.commit
      : await findCommit(git, name);
  const ref = `refs/remotes/${name.replace(/^refs\/remotes\//, "")}`;
  if (commit !== undefined) return { name, ref, commit };
  const where = await whereIs(repository, name, ref);
  if (where === undefined) {
    // An ancestor (`HEAD~3`) may be beyond the depth of a shallow clone.
    if (!repository.isShallow || !/[~^]/.test(name))
      throw await unknownRef(git, name);
    const command = "git fetch --unshallow";
    if (deepen === "never") throw await unknownRef(git, name, { command });
    try {
      const found = await findAncestor(repository, name);
      if (found !== undefined) return { name, ref, commit: found };
    } catch (error) {
      git.signal?.throwIfAborted();
      throw await unknownRef(git, name, { command, message: wordsOf(error) });
    }
    throw await unknownRef(git, name);
  }
  const { command } = where;
  if (deepen === "never") throw await unknownRef(git, name, { command });
  try {
    const fetched = await fetchMissing(repository, where);
    if (fetched !== undefined) return { name, ref, commit: fetched };
  } catch (error) {
    git.signal?.throwIfAborted();
    throw await unknownRef(git, name, { command, message: wordsOf(error) });
  }
  throw await unknownRef(git, name);
}

/** The object to fetch, the remote to fetch it from, and the command for it. */
interface Place {
  readonly remote: string;
  /** A commit id, or the name of a ref in the remote. */
  readonly wanted: string;
  readonly command: string;
}

async function whereIs(
  repository: Repository,
  name: string,
  ref: string,
): Promise<Place | undefined> {
  if (!isObjectId(name) && !repository.isShallow) return undefined;
  const remote = await chooseRemote(repository, ref);
  if (remote === undefined) return undefined;
  // The user should need one command only, and this one also fetches the merge base.
  const depth = repository.isShallow ? "--unshallow " : "";
  if (isObjectId(name)) {
    const command = `git fetch ${depth}${shellWord(remote)} ${name}`;
    return { remote, wanted: name, command };
  }
  if (!ref.startsWith(`refs/remotes/${remote}/`)) return undefined;
  const wanted = `refs/heads/${ref.slice(`refs/remotes/${remote}/`.length)}`;
  const command = `git fetch ${depth}${shellWord(remote)} ${shellWord(`+${wanted}:${ref}`)}`;
  return { remote, wanted, command };
}

async function fetchMissing(
  { git, isShallow }: Repository,
  { remote: name, wanted }: Omit<Place, "command">,
): Promise<string | undefined> {
  const remote = await openRemote(git, name);
  const commit = isObjectId(wanted)
    ? wanted
    : (await remote.find(wanted))?.commit;
  if (commit === undefined) return undefined;
  // A fetch of a commit that is missing, with depth 1, cuts no history that the clone has. A complete clone stays
  // complete.
  await remote.fetch(isShallow ? ["--depth=1"] : [], [commit]);
  return findCommit(git, commit);
}

/** Resolves `HEAD~3` or `main^2`, and fetches the history that is needed for it. */
async function findAncestor(
  repository: Repository,
  name: string,
): Promise<string | undefined> {
  const { git } = repository;
  const tip = await findCommit(git, name.replace(/[~^].*$/s, ""));
  const remote = await chooseRemote(repository);
  if (tip === undefined || remote === undefined) return undefined;
  return deepenUntilFound(repository, await openRemote(git, remote), tip, () =>
    findCommit(git, name),
  );
}

/**
 * Asks the remote for its default branch, for a clone that has no ref for it. A shallow clone often has only one
 * branch.
 * @param setting the workspace's own setting; then this branch is looked up in the remote instead
 * @returns undefined if the remote cannot be reached or reports no default branch
 */
export async function askDefaultBranch(
  repository: Repository,
  setting?: string,
): Promise<Tip | undefined> {
  const { git } = repository;
  const name = await chooseRemote(repository);
  if (name === undefined) return undefined;
  const remote = await openRemote(git, name);
  const asked =
    setting === undefined
      ? "HEAD"
      : `refs/heads/${withoutRemote(setting, name)}`;
  try {
    const found = await remote.find(asked);
    const branch = setting === undefined ? found?.branch : asked;
    if (found === undefined || branch === undefined) return undefined;
    const commit =
      (await findCommit(git, found.commit)) ??
      (await fetchMissing(repository, { remote: name, wanted: found.commit }));
    if (commit === undefined) return undefined;
    const short = `${name}/${branch.replace(/^refs\/heads\//, "")}`;
    return { name: short, ref: `refs/remotes/${short}`, commit };
  } catch {
    // The caller's error is more useful than the network's: it reports that the default branch is unknown, with a hint.
    git.signal?.throwIfAborted();
    return undefined;
  }
}

function withoutRemote(name: string, remote: string): string {
  return name.startsWith(`${remote}/`) ? name.slice(remote.length + 1) : name;
}
