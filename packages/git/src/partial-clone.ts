import { GitError } from "./git.js";
import type { Git } from "./git.js";
import { parseLsTree } from "./tree.js";

/** Returns whether a clone may lack objects that its remote has promised to send on request. */
export async function isPartialClone(git: Git): Promise<boolean> {
  return (await promisorsOf(git)).length > 0;
}

/** Returns the names of the remotes that promised objects; `""` stands for one whose name the settings do not hold. */
async function promisorsOf(git: Git): Promise<readonly string[]> {
  const { exitCode, stdout } = await git.run(
    [
      "config",
      "--null",
      "--get-regexp",
      String.raw`^(extensions\.partialclone|remote\..*\.promisor)$`,
    ],
    { answers: [0, 1] },
  );
  if (exitCode !== 0) return [];
  return stdout
    .toString("utf8")
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const [key = "", value = ""] = entry.split("\n", 2);
      return /^remote\.(.*)\.promisor$/s.exec(key)?.[1] ?? value;
    });
}

/**
 * Returns the ids of those blobs of a tree that a partial clone left out. It fetches nothing. In any other clone it costs
 * one `git config`.
 */
export async function absentBlobs(
  git: Git,
  tree: string,
): Promise<ReadonlySet<string>> {
  if (!(await isPartialClone(git))) return new Set();
  const { stdout } = await git.run([
    "rev-list",
    "--objects",
    "--no-object-names",
    "--missing=print",
    "--end-of-options",
    tree,
  ]);
  const absent = new Set<string>();
  for (const line of stdout.toString("latin1").split("\n"))
    if (line.startsWith("?")) absent.add(line.slice(1));
  return absent;
}

/**
 * Fetches blobs that a partial clone left out, all in one request, as git itself fetches a missing one: no ref moves.
 * Without this, git starts a request for each blob.
 * @param ids full ids
 * @returns undefined if all came; else what git said
 */
export async function fetchBlobs(
  git: Git,
  ids: Iterable<string>,
): Promise<string | undefined> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return undefined;
  const [remote] = await promisorsOf(git);
  if (!remote) return "no remote has promised the missing files";
  try {
    await git.run(
      [
        // The remote has all of them; nothing here helps it to send less.
        ...["-c", "fetch.negotiationAlgorithm=noop"],
        ...["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"],
        ...["--no-recurse-submodules", "--no-auto-maintenance", "--refmap="],
        ...["--filter=blob:none", "--stdin", "--end-of-options", remote],
      ],
      { input: `${wanted.join("\n")}\n` },
    );
    return undefined;
  } catch (error) {
    git.signal?.throwIfAborted();
    if (error instanceof GitError) return error.stderr.trim();
    throw error;
  }
}

/**
 * Fetches those blobs of a tree that a partial clone left out and a command is about to read.
 * @param tree a commit or a tree
 * @param isWanted of a path from the top
 * @returns undefined if all are here; else what git said
 */
export async function fetchBlobsOf(
  git: Git,
  tree: string,
  isWanted: (path: string) => boolean,
): Promise<string | undefined> {
  const absent = await absentBlobs(git, tree);
  if (absent.size === 0) return undefined;
  const { stdout } = await git.run([
    ...["ls-tree", "-r", "-z", "--full-tree", "--end-of-options"],
    tree,
  ]);
  const wanted = parseLsTree(stdout).filter(
    ({ path, id }) => absent.has(id) && isWanted(path),
  );
  return fetchBlobs(
    git,
    wanted.map(({ id }) => id),
  );
}

/**
 * Fetches those of the given blobs that a partial clone left out, as `fetchBlobs` does.
 * @param tree that holds them
 * @param ids the blobs that somebody is about to read
 * @returns the blobs of the tree that are still not here; empty if all that were asked for came
 */
export async function absentAfterFetch(
  git: Git,
  tree: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const absent = await absentBlobs(git, tree);
  const said = await fetchBlobs(
    git,
    ids.filter((id) => absent.has(id)),
  );
  return said === undefined ? new Set() : absent;
}
