import {
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

/** What the system knows of a file that nobody has written to since. */
export type Seen = ReadonlyMap<string, string>;

/** Notes the state of the files that moves will take away. */
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
 * Makes one change to the user's files, unless it is made already. Nothing of the user's is ever overwritten: what is there
 * moves away first, and a new file goes only where nothing is.
 * @param seen the files before they were compared with the index
 * @throws {Failure} when the user has changed one since; it is where it was
 */
export async function moveForward(move: FileMove, seen: Seen): Promise<void> {
  await settleHalf(move);
  if (move.kind !== "place" && !(await exists(move.backup))) {
    if (await exists(move.path)) await takeAway(move, seen.get(move.path));
  }
  if (move.kind === "remove" || !(await exists(move.staged))) return;
  await mkdir(dirname(move.path), { recursive: true });
  if (!(await placeNew(move.staged, move.path)))
    throw new Failure(`${move.path} has appeared meanwhile`, {
      hint: "move it away",
    });
}

/** A kill between the two halves of placing a file leaves it under both names. */
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
 * Moves a file or a folder to where nothing is; an empty folder counts as nothing.
 * @returns false when something is there, which stays
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
    // Another file system, or one without hard links.
    if (await exists(to)) return false;
    await moveFile(from, to);
    return true;
  }
  await rm(from);
  return true;
}

/** Renames; across file systems, copies under another name and renames that. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // Another file system: whole under a name nobody looks at, then in one step.
    await cp(from, `${to}.migrating`, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    await rename(`${to}.migrating`, to);
    await rm(from, { recursive: true });
  }
}

/** Returns whether something is there; an empty folder counts as nothing. */
export async function isInTheWay(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return false;
  if (!stats.isDirectory()) return true;
  return (await readdir(path)).length > 0;
}

/** Size and time of the last writing; renaming a file keeps both, also to another file system. */
async function stateOf(path: string): Promise<string | undefined> {
  return lstat(path).then(
    ({ size, mtimeMs }) => `${size} ${Math.floor(mtimeMs)}`,
    () => undefined,
  );
}

/** Returns whether something is there; a symlink is something, wherever it points. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns whether two files are there and hold the same; two symlinks, whether they point to the same. */
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
