import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GitError, type Git } from "../git.js";
import { parseLsTree } from "./tree.js";
import { splitNul } from "../split-nul.js";

/** The remotes that promised objects, by the `Git` with which they were read. */
const promisors = new WeakMap<Git, Promise<readonly string[]>>();

/** Returns whether a clone may lack objects because its remote promised to send them on request. */
export async function isPartialClone(git: Git): Promise<boolean> {
  return (await promisorsOf(git)).length > 0;
}

/**
 * Returns the names of the remotes that promised objects, `""` for a remote whose name is missing in the settings. It
 * reads them once: a clone only becomes partial when it is made, or when someone fetches with a filter for the first
 * time, which Skein doesn't do.
 */
function promisorsOf(git: Git): Promise<readonly string[]> {
  const known = promisors.get(git) ?? readPromisors(git);
  promisors.set(git, known);
  return known;
}

/** Variables with which git reads its settings elsewhere. */
const ELSEWHERE = /^GIT_(?:DIR|COMMON_DIR|CONFIG(?:_PARAMETERS|_COUNT)?)$/;

/**
 * Returns whether the settings of a clone may name a promisor. Git stores that in the clone's own settings. Reading them
 * takes far less time than asking git, which has to happen if they are elsewhere, or include other files. Settings of the
 * user or the system could name one too; git would then fetch missing objects one at a time.
 */
function mayHavePromisors({ cwd, env }: Git): boolean {
  if (Object.keys(env).some((name) => ELSEWHERE.test(name))) return true;
  try {
    const settings = readFileSync(join(cwd, ".git/config"), "latin1");
    return /promisor|partialclone|include/i.test(settings);
  } catch {
    return true;
  }
}

async function readPromisors(git: Git): Promise<readonly string[]> {
  if (!mayHavePromisors(git)) return [];
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
  return splitNul(stdout).map((entry) => {
    const [key = "", value = ""] = entry.split("\n", 2);
    return /^remote\.(.*)\.promisor$/s.exec(key)?.[1] ?? value;
  });
}

/**
 * Returns the ids of the blobs of a tree that are missing in a partial clone, without fetching them. In any other clone
 * it runs at most one `git config`.
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
 * Fetches blobs that are missing in a partial clone, all in one request. No ref moves, as when git itself fetches a
 * missing blob. Without this, git would send one request per blob.
 * @param ids full ids
 * @returns undefined if all were fetched; otherwise git's message
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
        // The remote has all blobs. Negotiation would not reduce the download.
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
 * Fetches the blobs of a tree that are missing in a partial clone and that a command is about to read.
 * @param tree a commit or a tree
 * @param isWanted selects blobs by their path from the top
 * @returns undefined if none is missing any more; otherwise git's message
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
 * Fetches those of the given blobs that are missing in a partial clone, as `fetchBlobs` does.
 * @param tree the tree that contains the blobs
 * @param ids the blobs that the caller is about to read
 * @returns the blobs of the tree that were missing, if the fetch failed; empty if it succeeded
 */
export async function absentAfterFetch(
  git: Git,
  tree: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const absent = await absentBlobs(git, tree);
  const problem = await fetchBlobs(
    git,
    ids.filter((id) => absent.has(id)),
  );
  return problem === undefined ? new Set() : absent;
}
