import type { Writable } from "node:stream";
import { splitStream, streamGit, writeTo, type Git } from "@skein/git";
import { Failure } from "@skein/reporting";
import type { IdList } from "../objects/id-list.js";
import { EMPTY_TREES } from "../objects/tree-object.js";
import type { MappedCommit, Placement } from "../migration.js";

/** A commit whose files differ from its original's. */
export interface TreeDifference {
  readonly old: string;
  readonly new: string;
  readonly path: string;
}

/**
 * Compares each rewritten commit with its original. The tree (or file) at every placement must be the same object,
 * which proves names, contents and modes of all files at once. It doesn't check that the rewritten commit has no other
 * files.
 * @param trees the originals' root trees, in the order of the commits, if git has listed them; otherwise git is queried
 * @returns the number of compared commits, and every difference
 */
export async function proveTrees(
  git: Git,
  commits: Iterable<MappedCommit>,
  placements: readonly Placement[],
  trees?: IdList,
): Promise<{ compared: number; differences: readonly TreeDifference[] }> {
  // One process answers for both sides, so that git already has the trees of one side when it is queried for the other.
  const ids = objectNames(git, namesOf(commits, placements, trees));
  const answer = async () => (await ids.next()).value;
  const differences: TreeDifference[] = [];
  let compared = 0;
  let index = -1;
  for (const { old, new: id } of commits) {
    index += 1;
    if (id === undefined) continue;
    compared += 1;
    for (const { from, to: path } of placements) {
      const tree = from === "" ? trees?.at(index) : undefined;
      const before = tree === undefined ? await answer() : known(tree);
      if (before !== (await answer())) differences.push({ old, new: id, path });
    }
  }
  await ids.return(undefined);
  return { compared, differences };
}

/**
 * Does the same as `proveTrees`, but throws on a difference.
 * @returns the number of compared commits
 * @throws {Failure} if a commit differs from its original
 */
export async function requireSameTrees(
  ...compared: Parameters<typeof proveTrees>
): Promise<number> {
  const { compared: count, differences } = await proveTrees(...compared);
  const [difference] = differences;
  if (difference)
    throw new Failure(
      `commit ${difference.old} is not the same below ${difference.path}: nothing was merged`,
      { hint: "this is a bug in migrate-repo; please report it" },
    );
  return count;
}

/**
 * Returns two names for each commit and placement: the original's entry, unless it is known, and the new commit's
 * entry.
 */
function* namesOf(
  commits: Iterable<MappedCommit>,
  placements: readonly Placement[],
  trees: IdList | undefined,
): Generator<string> {
  let index = -1;
  for (const { old, new: id } of commits) {
    index += 1;
    if (id === undefined) continue;
    for (const { from, to } of placements) {
      if (from !== "") yield `${old}:${from}`;
      else if (trees?.at(index) === undefined) yield `${old}^{tree}`;
      yield `${id}:${to}`;
    }
  }
}

/** Returns "" for an empty folder, because git doesn't store those. */
function known(id: string): string {
  return EMPTY_TREES.includes(id) ? "" : id;
}

/** Queries the object ids of many names at once; "" for a missing one. */
async function* objectNames(
  git: Git,
  names: Iterable<string>,
): AsyncGenerator<string, undefined> {
  const check = streamGit(git, [
    "cat-file",
    "--buffer",
    "--batch-check=%(objectname)",
  ]);
  const asked = ask(check.stdin, names);
  try {
    for await (const line of splitStream(check.stdout, 10)) {
      yield line.endsWith(" missing") ? "" : known(line);
    }
    await asked;
    await check.done;
  } finally {
    check.kill();
  }
}

/** Writes names in chunks, as fast as git reads them. */
async function ask(stdin: Writable, names: Iterable<string>): Promise<void> {
  let chunk = "";
  for (const name of names) {
    chunk += `${name}\n`;
    if (chunk.length < 16_384) continue;
    await writeTo(stdin, chunk);
    chunk = "";
  }
  stdin.end(chunk);
}
