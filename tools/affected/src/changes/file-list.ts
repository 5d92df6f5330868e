import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { readListChangeset, type Changeset } from "@skein/changes";
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
  const isHere = (path: string) =>
    topLevel === undefined || exists(join(topLevel, path));
  // A list doesn't contain kinds of changes. A file that doesn't exist was deleted, or its name is misspelt.
  return {
    ...changeset,
    changes: changeset.changes.map((change) =>
      isHere(change.path) ? change : { ...change, kind: "deleted" },
    ),
  };
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
