import type { Writable } from "node:stream";
import { splitStream, streamGit, writeTo, type Git } from "@skein/git";
import { EMPTY_TREES } from "../objects/tree-object.js";
import type { MappedCommit, Placement } from "../migration.js";

/** A commit whose files are not what they were. */
export interface TreeDifference {
  readonly old: string;
  readonly new: string;
  readonly path: string;
}

/**
 * Compares each rewritten commit with its original: the tree (or file) at every placement must be the very same object,
 * which proves names, contents and modes of all files at once. Nothing else may be in the rewritten commit.
 * @returns how many commits were compared, and every difference
 */
export async function proveTrees(
  git: Git,
  commits: Iterable<MappedCommit>,
  placements: readonly Placement[],
): Promise<{ compared: number; differences: readonly TreeDifference[] }> {
  const before = objectNames(
    git,
    namesOf(commits, ({ old }) =>
      placements.map(({ from }) =>
        from === "" ? `${old}^{tree}` : `${old}:${from}`,
      ),
    ),
  );
  const after = objectNames(
    git,
    namesOf(commits, ({ new: id }) =>
      placements.map(({ to }) => `${id ?? ""}:${to}`),
    ),
  );
  const differences: TreeDifference[] = [];
  let compared = 0;
  for (const { old, new: id } of commits) {
    if (id === undefined) continue;
    compared += 1;
    for (const { to: path } of placements) {
      const [a, b] = [await before.next(), await after.next()];
      if (a.value !== b.value) differences.push({ old, new: id, path });
    }
  }
  await Promise.all([before.return(undefined), after.return(undefined)]);
  return { compared, differences };
}

function* namesOf(
  commits: Iterable<MappedCommit>,
  names: (commit: MappedCommit) => readonly string[],
): Generator<string> {
  for (const commit of commits)
    if (commit.new !== undefined) yield* names(commit);
}

/** Asks for the object ids of many names at once; "" where there is none. */
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
      const missing = line.endsWith(" missing") || EMPTY_TREES.includes(line);
      yield missing ? "" : line;
    }
    await asked;
    await check.done;
  } finally {
    check.kill();
  }
}

/** Asks in chunks, as fast as they are answered. */
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
