import { copyFile, rename, rm } from "node:fs/promises";
import { splitNul, openGit, parseLsTree, type Git } from "@skein/git";
import { Failure } from "@skein/reporting";
import { linkOrCopy, sameBytes } from "./file-moves.js";
import type { AllEntries, IndexChanges } from "./index-changes.js";
import type { Landing } from "./journal.js";
import { lockOf } from "./stage.js";

type Index = Landing["index"];

/** An index's entry for each path: mode, id and stage as git writes them. A path with a conflict has all its stages. */
export type Entries = ReadonlyMap<string, string>;

/**
 * Locks the index as git does. The lock file is complete as soon as it exists, so a lock with other bytes always
 * belongs to another process. A lock that a killed landing left is taken over.
 * @throws {Failure} if another process holds the lock
 */
export async function lockIndex(index: Index): Promise<void> {
  const lock = lockOf(index.path);
  const fresh = `${index.prepared}.lock`;
  await copyFile(index.prepared, fresh);
  try {
    await linkOrCopy(fresh, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (await sameBytes(lock, index.prepared)) return;
    throw new Failure("another git process has locked the index", {
      hint: `wait for it (if none is running, remove ${lock})`,
      cause: error,
    });
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Unlocks the index if the lock is ours. */
export async function unlockIndex(index: Index): Promise<void> {
  const lock = lockOf(index.path);
  if (await sameBytes(lock, index.prepared)) await rm(lock, { force: true });
}

/** Replaces the index with a copy of a file, in one step. The index must be locked. */
export async function replaceIndex(
  index: Index,
  content: string,
): Promise<void> {
  const fresh = `${index.prepared}.new`;
  await copyFile(content, fresh);
  await rename(fresh, index.path);
}

/** Reads an index file. */
export async function readEntries(
  git: Git,
  landing: Landing,
  file: string,
): Promise<Entries> {
  const { stdout } = await gitWithIndex(git, landing, file).run([
    ...["ls-files", "--stage", "-z"],
  ]);
  const entries = new Map<string, string>();
  for (const line of splitNul(stdout)) {
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    const before = entries.get(path);
    const entry = line.slice(0, tab);
    entries.set(path, before === undefined ? entry : `${before}\n${entry}`);
  }
  return entries;
}

/** Reads three states of the index: before a landing, as the landing writes it, and now. */
export async function readAll(git: Git, landing: Landing): Promise<AllEntries> {
  const { before, prepared, path } = landing.index;
  const [old, after, now] = await Promise.all([
    readEntries(git, landing, before),
    readEntries(git, landing, prepared),
    readEntries(git, landing, path),
  ]);
  return { before: old, after, now };
}

/**
 * Returns the files of the commit that is checked out, as an index holds them. Before the first commit the result is
 * empty.
 */
export async function readHead(git: Git, landing: Landing): Promise<Entries> {
  const { stdout } = await gitWithIndex(git, landing, landing.index.path).run(
    ["ls-tree", "-r", "-z", "--full-tree", "HEAD"],
    { answers: [0, 128] },
  );
  return new Map(
    parseLsTree(stdout).map(({ path, mode, id }) => [path, `${mode} ${id} 0`]),
  );
}

/**
 * Copies the index as it is now, with some of its entries changed.
 * @returns the path of the copy
 */
export async function changedIndex(
  git: Git,
  landing: Landing,
  changes: IndexChanges,
): Promise<string> {
  const file = `${landing.index.prepared}.changed`;
  await copyFile(landing.index.path, file);
  const none = `0 ${"0".repeat(landing.oldHead.length)}`;
  const lines = [...changes].map(
    // `mode id stage`, as `ls-files --stage` writes it (git-update-index(1), "Using --index-info").
    ([path, entry]) => `${entry ?? none}\t${path}\0`,
  );
  await gitWithIndex(git, landing, file).run(
    ["-c", "core.splitIndex=false", "update-index", "-z", "--index-info"],
    { input: lines.join("") },
  );
  return file;
}

/** Returns a git that uses another file as the index. */
export function gitWithIndex(
  git: Git,
  { topLevel }: Pick<Landing, "topLevel">,
  file: string,
): Git {
  return openGit({
    cwd: topLevel,
    env: { ...git.env, GIT_INDEX_FILE: file },
  });
}
