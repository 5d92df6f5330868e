import { lstatSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { readListChangeset, type Change, type Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import {
  Failure,
  formatBytes,
  readRegularFile,
  systemWords,
  usageFailure,
} from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";

/**
 * Reads the changeset from a list of files.
 * @param file `-` for standard input
 */
export async function readList(
  { cwd, stdin, signal }: CliWorld,
  { topLevel }: Repository,
  file: string,
): Promise<Changeset> {
  const from = file === "-" ? "standard input" : file;
  const bytes = await readInput(cwd, { stdin, signal }, file);
  const changeset = readListChangeset(bytes, { from, topLevel });
  if (topLevel === undefined) return changeset;
  const folders = foldersBetween(topLevel, cwd);
  const changes = changeset.changes.flatMap((change): Change[] => {
    if (exists(join(topLevel, change.path))) return [change];
    // A list doesn't contain kinds of changes. A file that doesn't exist was deleted, or its name is misspelt, or it begins at
    // the current folder or the project's: `git diff --name-only --relative`.
    const others = folders
      .map((folder) => `${folder}/${change.path}`)
      .filter((path) => exists(join(topLevel, path)));
    return [
      { ...change, kind: "deleted" },
      ...others.map((path) => ({ ...change, path })),
    ];
  });
  return { ...changeset, changes };
}

/** Returns a folder and those above it, below another one, from there. */
function foldersBetween(top: string, folder: string): readonly string[] {
  const path = relative(top, folder).replaceAll(sep, "/");
  if (path === "" || path === ".." || path.startsWith("../")) return [];
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // No file can have such a name.
  }
}

/** The limit in bytes, enough for the paths of a million files. Without a limit, /dev/zero would fill the memory. */
const LONGEST_LIST = 256 * 1024 * 1024;

async function readInput(
  cwd: string,
  { stdin, signal }: Pick<CliWorld, "stdin" | "signal">,
  file: string,
): Promise<Buffer> {
  if (file === "-") {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stdin) {
      signal.throwIfAborted();
      chunks.push(Buffer.from(chunk));
      length += chunks.at(-1)?.length ?? 0;
      if (length > LONGEST_LIST)
        throw usageFailure(
          `standard input is not a list of files: more than ${formatBytes(LONGEST_LIST)} came`,
          { hint: "pipe `git diff --name-only -z` into it" },
        );
    }
    return Buffer.concat(chunks);
  }
  try {
    return await readRegularFile(resolve(cwd, file));
  } catch (error) {
    if (error instanceof Failure)
      throw usageFailure(
        `the list of changed files, ${file}, cannot be read: ${error.message}`,
        {
          hint: "pass a pipe as standard input: … | affected list --files-from -",
        },
      );
    throw usageFailure(
      `the list of changed files, ${file}, cannot be read: ${systemWords(error)}`,
      { cause: error },
    );
  }
}
