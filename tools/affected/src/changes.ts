import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readGitChangeset, readListChangeset } from "@skein/changes";
import type { Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import { usageFailure } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import type { Settings } from "@skein/workspaces";
import type { ChangeOptions } from "./command.js";

/** Reads the changeset that was asked for, from where it was asked for. */
export async function readChangeset(
  world: CliWorld,
  repository: Repository,
  settings: Settings,
  options: ChangeOptions,
): Promise<Changeset> {
  const { base, head, since, filesFrom } = options;
  if (filesFrom !== undefined) {
    return readListChangeset(await readList(world, filesFrom), {
      from: filesFrom === "-" ? "standard input" : filesFrom,
      topLevel: repository.topLevel,
    });
  }
  return readGitChangeset(repository, {
    ...(base !== undefined && { base }),
    ...(head !== undefined && { head }),
    ...(since !== undefined && { since }),
    workingTree: !options.committed,
    deepen: options.deepen,
    onMissingBase: options.fallback === "all" ? "everything" : "error",
    ...(settings.defaultBranch !== undefined && {
      defaultBranch: settings.defaultBranch,
    }),
  });
}

async function readList(
  { cwd, stdin }: CliWorld,
  file: string,
): Promise<Buffer> {
  if (file === "-") {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(resolve(cwd, file));
  } catch (error) {
    throw usageFailure(`the list of changed files, ${file}, cannot be read`, {
      hint: (error as Error).message,
      cause: error,
    });
  }
}
