import type { Git } from "./git.js";
import { openPorcelain } from "./porcelain.js";
import { isObjectId } from "./refs.js";
import type { Repository } from "./repository.js";

/** One remote of a repository: what little is asked of it. Fetching here never moves a ref and never writes FETCH_HEAD. */
export interface Remote {
  readonly name: string;
  /**
   * Fetches commits.
   * @param flags how deep: `--deepen=50`, `--unshallow`, `--depth=1`, or nothing
   * @param wants full commit ids
   * @throws git's words, as simple-git throws them
   */
  fetch(flags: readonly string[], wants: readonly string[]): Promise<void>;
  /**
   * Where a ref of the remote stands.
   * @param ref `HEAD` or a full ref name
   * @returns its commit, and for `HEAD` the branch it stands for; undefined where there is no such ref
   */
  find(
    ref: string,
  ): Promise<{ readonly commit: string; readonly branch?: string } | undefined>;
}

/**
 * Returns the remote that is asked for missing history: the one that a remote-tracking ref belongs to, else the one that the
 * current branch follows, else `origin`, else the only one.
 * @param ref a full ref name, where the history of a certain ref is missing
 * @returns undefined where there is none, or where which one it is cannot be told
 */
export async function chooseRemote(
  { git }: Pick<Repository, "git">,
  ref?: string,
): Promise<string | undefined> {
  const names = (await git.run(["remote"])).stdout.toString("utf8").split("\n");
  // A remote's name may itself hold a slash: the longest that fits.
  const owner = (full: string | undefined) =>
    names
      .filter((name) => name && full?.startsWith(`refs/remotes/${name}/`))
      .sort((a, b) => b.length - a.length)[0];
  const known = names.filter(Boolean);
  return (
    owner(ref) ??
    owner(await findUpstream(git)) ??
    (known.includes("origin") ? "origin" : undefined) ??
    (known.length === 1 ? known[0] : undefined)
  );
}

/** Returns the upstream of the current branch, as a full ref name (`refs/remotes/fork/main`); undefined if it has none. */
export async function findUpstream(git: Git): Promise<string | undefined> {
  const { stdout } = await git.run(
    ["rev-parse", "--symbolic-full-name", "@{upstream}"],
    { answers: [0, 128] },
  );
  const ref = stdout.toString("utf8").trim();
  return ref.startsWith("refs/") ? ref : undefined;
}

const FETCH_FLAGS = [
  "--quiet",
  "--no-tags", // Against remote.*.tagOpt: only history is wanted.
  "--refmap=", // Against remote.*.fetch: no remote-tracking ref moves under the user's feet.
  "--no-write-fetch-head",
  "--no-recurse-submodules", // Against fetch.recurseSubmodules.
  "--no-prune", // Against fetch.prune.
  "--no-auto-maintenance", // No repacking in the middle of somebody's work.
];

/** @param name one of the repository's remotes */
export async function openRemote(git: Git, name: string): Promise<Remote> {
  const porcelain = await openPorcelain(git);
  return {
    name,
    async fetch(flags, wants) {
      if (!wants.every(isObjectId)) throw new Error("only ids are fetched");
      await porcelain.fetch([
        ...FETCH_FLAGS,
        ...flags,
        "--end-of-options",
        name,
        ...wants,
      ]);
    },
    async find(ref) {
      const text = await porcelain.listRemote([
        "--symref",
        "--end-of-options",
        name,
        ref,
      ]);
      return parseLsRemote(text, ref);
    },
  };
}

/** Reads `ls-remote --symref`: `ref: refs/heads/main\tHEAD`, `<id>\tHEAD`; a pattern also finds longer names. */
function parseLsRemote(
  text: string,
  ref: string,
): { readonly commit: string; readonly branch?: string } | undefined {
  let branch: string | undefined;
  let commit: string | undefined;
  for (const line of text.split("\n")) {
    const [value = "", name] = line.split("\t");
    if (name !== ref) continue;
    if (value.startsWith("ref: ")) branch = value.slice("ref: ".length);
    else if (isObjectId(value)) commit = value;
  }
  if (commit === undefined) return undefined;
  return branch === undefined ? { commit } : { commit, branch };
}
