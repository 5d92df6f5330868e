import type { Git } from "../git.js";
import { isObjectId } from "../refs.js";
import type { Repository } from "../repository.js";

/** A remote of a repository. Fetching from it never moves a ref and never writes FETCH_HEAD. */
export interface Remote {
  readonly name: string;
  /**
   * Fetches commits.
   * @param flags the depth: `--deepen=50`, `--unshallow`, `--depth=1`, or nothing
   * @param wants full commit ids
   * @throws git's message, as simple-git throws it
   */
  fetch(flags: readonly string[], wants: readonly string[]): Promise<void>;
  /**
   * Looks up a ref in the remote.
   * @param ref `HEAD` or a full ref name
   * @returns its commit, and for `HEAD` the branch that it refers to; undefined if the ref doesn't exist
   */
  find(
    ref: string,
  ): Promise<{ readonly commit: string; readonly branch?: string } | undefined>;
}

/**
 * Returns the remote from which to fetch missing history: the remote of the given remote-tracking ref, else of the
 * current branch's upstream, else `origin`, else the only remote.
 * @param ref a full ref name, if the history of a certain ref is missing
 * @returns undefined if there is no remote, or several without a clear choice
 */
export async function chooseRemote(
  { git }: Pick<Repository, "git">,
  ref?: string,
): Promise<string | undefined> {
  const names = (await git.run(["remote"])).stdout.toString("utf8").split("\n");
  // A remote's name may contain a slash, so the longest match wins.
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

/**
 * Returns the upstream of the current branch as a full ref name (`refs/remotes/fork/main`), or undefined if it has
 * none.
 */
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
  "--no-tags", // Overrides remote.*.tagOpt: only history is needed.
  "--refmap=", // Overrides remote.*.fetch: no remote-tracking ref of the user moves.
  "--no-write-fetch-head",
  "--no-recurse-submodules", // Overrides fetch.recurseSubmodules.
  "--no-prune", // Overrides fetch.prune.
  "--no-auto-maintenance", // Prevents repacking while the user works.
];

/** Opens a remote for fetching. @param name one of the repository's remotes */
export async function openRemote(git: Git, name: string): Promise<Remote> {
  // Few runs fetch anything.
  const { openPorcelain } = await import("../porcelain.js");
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

/**
 * Parses the output of `ls-remote --symref`: `ref: refs/heads/main\tHEAD`, `<id>\tHEAD`. A pattern also matches longer
 * names.
 */
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
