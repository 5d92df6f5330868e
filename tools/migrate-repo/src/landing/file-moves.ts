import {
  constants,
  copyFile,
  cp,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
} from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "@skein/reporting";
import type { FileMove } from "./journal.js";

/** The size and modification time of each file before a landing. They don't change unless the file is written. */
export type Seen = ReadonlyMap<string, string>;

/** Records the state of the files that moves will replace or remove. */
export async function lookAt(moves: readonly FileMove[]): Promise<Seen> {
  const states = await Promise.all(
    moves.map(async ({ kind, path }) =>
      kind === "place" ? undefined : await stateOf(path),
    ),
  );
  return new Map(
    moves.flatMap(({ path }, at) => {
      const state = states[at];
      return state === undefined ? [] : [[path, state] as const];
    }),
  );
}

/**
 * Makes one change to the user's files, unless it has been made already. It never overwrites a file of the user: an
 * existing file is moved to the backup first, and a new file is placed only if its path is free.
 * @param seen the files before they were compared with the index
 * @throws {Failure} if the user has changed a file since; the file stays where it was
 */
export async function moveForward(move: FileMove, seen: Seen): Promise<void> {
  await settleHalf(move);
  if (move.kind !== "place" && !(await exists(move.backup))) {
    if (await exists(move.path)) await takeAway(move, seen.get(move.path));
  }
  if (move.kind === "remove" || !(await exists(move.staged))) return;
  await mkdir(dirname(move.path), { recursive: true });
  if (!(await placeNew(move.staged, move.path)))
    throw new Failure(`${move.path} was created while the migration ran`, {
      hint: "move it away",
    });
}

/** Completes a placement that a kill interrupted between its two halves, when the file has both names. */
export async function settleHalf(move: FileMove): Promise<void> {
  if (move.kind === "remove" || !(await exists(move.path))) return;
  if (await sameBytes(move.staged, move.path))
    await rm(move.staged, { force: true });
}

async function takeAway(
  { path, backup }: Exclude<FileMove, { kind: "place" }>,
  state: string | undefined,
): Promise<void> {
  await moveFile(path, backup);
  if (state === undefined || (await stateOf(backup)) === state) return;
  await placeNew(backup, path);
  throw new Failure(`${path} was changed while the migration was landing`, {
    hint: "commit or stash what you changed",
  });
}

/**
 * Moves a file or a folder to a free path. An empty folder counts as free.
 * @returns false if something is there already; it stays
 */
export async function placeNew(from: string, to: string): Promise<boolean> {
  const stats = await lstat(from);
  if (stats.isDirectory()) {
    if (await isInTheWay(to)) return false;
    await moveFile(from, to);
    return true;
  }
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // The target is on another file system, or on one without hard links.
    if (await exists(to)) return false;
    await moveFile(from, to);
    return true;
  }
  await rm(from);
  return true;
}

/** Gives a complete file a second name. @throws EEXIST if something has that name, ENOENT if the file is gone */
export async function linkOrCopy(file: string, name: string): Promise<void> {
  try {
    await link(file, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") throw error;
    // The file system has no hard links.
    await copyFile(file, name, constants.COPYFILE_EXCL);
  }
}

/** Renames a file or folder. Across file systems, it copies under a temporary name and renames the copy. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // For another file system: make a whole copy under a name that nothing reads, then rename it in one step.
    await cp(from, `${to}.migrating`, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    await rename(`${to}.migrating`, to);
    await rm(from, { recursive: true });
  }
}

/** Returns whether something is at a path; an empty folder counts as nothing. */
export async function isInTheWay(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return false;
  if (!stats.isDirectory()) return true;
  return (await readdir(path)).length > 0;
}

/** Returns the size and modification time of a file. Renaming keeps both, even to another file system. */
async function stateOf(path: string): Promise<string | undefined> {
  return lstat(path).then(
    ({ size, mtimeMs }) => `${size} ${Math.floor(mtimeMs)}`,
    () => undefined,
  );
}

/** Returns whether something is at a path; a symlink counts, wherever it points. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Returns whether two files exist and have the same content. Two symlinks are the same if they have the same target.
 */
export async function sameBytes(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([contentOf(one), contentOf(other)]);
  return a !== undefined && b !== undefined && a.equals(b);
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return Buffer.from(await readlink(path));
    return stats.isFile() ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}
