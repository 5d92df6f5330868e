import { lstat, mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readStatus } from "@skein/git";
import { ifMissing, usageFailure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import { prefixOf } from "../files/files.js";
import type { PlannedFile } from "./look.js";
import type { InitPlace } from "./read-look.js";

/**
 * Writes the files of a plan, all or none. It registers new files with git (`git add --intent-to-add`), so that one
 * `git checkout --no-overlay` undoes everything.
 * @param token a random word, for names of drafts
 * @throws {Failure} (usage) if a file has uncommitted changes, or has changed since the plan was made. After this and
 * any other error, every file is as it was before.
 */
export async function writeInit(
  place: InitPlace,
  files: readonly PlannedFile[],
  token: string,
): Promise<void> {
  const { root, repository } = place;
  await assertCommitted(place, files);
  for (const file of files) await assertAsPlanned(root, file);
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const file of files) await writeOne(root, file, { token, undo });
    const made = files.filter(({ before }) => before === undefined);
    if (made.length > 0)
      await repository.git.run([
        "add",
        "--intent-to-add",
        "--end-of-options",
        ...made.map(({ path }) => join(root, path)),
      ]);
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function assertCommitted(
  { root, repository }: InitPlace,
  files: readonly PlannedFile[],
): Promise<void> {
  const { git, gitDir, commonDir, topLevel } = repository;
  const prefix = prefixOf(topLevel ?? root, root);
  const top = { ...git, cwd: topLevel ?? root };
  const { entries } = await readStatus(top, { gitDir, commonDir });
  const changed = new Set(entries.map(({ path }) => path));
  for (const { path, before } of files)
    if (before !== undefined && changed.has(prefix + path))
      throw usageFailure(`${path} has changes that are not committed`, {
        hint: "commit or stash them first, so that git can undo what init writes; nothing was written",
      });
}

/**
 * Checks that a file is as it was when the plan was made. No part of its path may be a symbolic link, which could lead
 * anywhere.
 */
async function assertAsPlanned(
  root: string,
  { path, before }: PlannedFile,
): Promise<void> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const stats = await lstat(join(root, part)).catch(ifMissing);
    if (!stats) break;
    if (depth < parts.length ? !stats.isDirectory() : !stats.isFile())
      throw usageFailure(
        `${part} isn't a plain ${depth < parts.length ? "folder" : "file"}`,
        { hint: "init follows no symbolic links; nothing was written" },
      );
  }
  const now = await readFile(join(root, path), "utf8").catch(ifMissing);
  if (now !== before)
    throw usageFailure(`${path} changed while init was running`, {
      hint: "run affected init again; nothing was written",
    });
}

async function writeOne(
  root: string,
  { path, before, after }: PlannedFile,
  {
    token,
    undo,
  }: { readonly token: string; readonly undo: (() => Promise<unknown>)[] },
): Promise<void> {
  const file = join(root, path);
  const draft = `${file}.${token}`;
  if (before !== undefined) {
    undo.push(() => replaceFile(file, before, draft));
    await replaceFile(file, after, draft);
    return;
  }
  const first = await mkdir(dirname(file), { recursive: true });
  if (first !== undefined) undo.push(() => removeFolders(dirname(file), first));
  try {
    await writeFile(file, after, { flag: "wx" });
  } catch (error) {
    // A file that isn't ours stays; a partly written file of ours is removed.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      await rm(file, { force: true });
    throw error;
  }
  undo.push(() => rm(file, { force: true }));
}

/** Removes the folders that init made, starting with the innermost, as long as they are empty. */
async function removeFolders(innermost: string, first: string): Promise<void> {
  for (let dir = innermost; dir.length >= first.length; dir = dirname(dir))
    try {
      await rmdir(dir);
    } catch {
      return;
    }
}
