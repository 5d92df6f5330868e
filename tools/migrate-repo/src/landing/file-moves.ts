import {
  copyFile,
  cp,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
} from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "@skein/reporting";
import type { FileMove } from "./journal.js";

/** Makes one change to the user's files, unless it is made already. */
export async function moveForward(move: FileMove): Promise<void> {
  if (move.kind === "remove") {
    if (await exists(move.path)) await moveFile(move.path, move.backup);
    return;
  }
  if (!(await exists(move.staged))) return;
  if (move.kind === "replace") {
    if (!(await exists(move.backup))) await keepCopy(move.path, move.backup);
  } else if (await isInTheWay(move.path)) {
    throw new Failure(`${move.path} has appeared meanwhile`, {
      hint: "move it away, then: migrate-repo continue; or undo everything: migrate-repo abort",
    });
  }
  await mkdir(dirname(move.path), { recursive: true });
  await moveFile(move.staged, move.path);
}

/** Takes it back, unless it was never made. */
export async function moveBack(move: FileMove): Promise<void> {
  if (move.kind === "place") {
    if (!(await exists(move.staged)) && (await exists(move.path)))
      await moveFile(move.path, move.staged);
  } else if (await exists(move.backup)) {
    await mkdir(dirname(move.path), { recursive: true });
    await rename(move.backup, move.path);
  }
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

async function keepCopy(file: string, copy: string): Promise<void> {
  await link(file, copy).catch(() => copyFile(file, copy));
}

async function isInTheWay(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return false;
  if (!stats.isDirectory()) return true;
  return (await readdir(path)).length > 0;
}

/** Whether something is there; a symlink is something, wherever it points. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether two files are there and hold the same. */
export async function sameBytes(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([
    readFile(one).catch(() => undefined),
    readFile(other).catch(() => undefined),
  ]);
  return a !== undefined && b !== undefined && a.equals(b);
}
