import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { ciOf } from "@skein/ci";
import { readGitChangeset, readListChangeset } from "@skein/changes";
import type { Begun, Changeset } from "@skein/changes";
import { RepositoryError } from "@skein/git";
import type { Repository } from "@skein/git";
import {
  Failure,
  formatBytes,
  readRegularFile,
  usageFailure,
} from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import type { Settings } from "@skein/workspaces";
import { cacheDirOf } from "./cache-dir.js";
import type { ChangeOptions } from "./command.js";
import type { RemoteChangeset } from "./github.js";

/**
 * Reads the changeset from the source that the options name: a pull request, a list, or git. Without such options, it
 * uses the event in GitHub Actions, GitLab CI or Buildkite, and otherwise git.
 */
export async function readChanges(
  world: CliWorld,
  opening: Promise<Repository>,
  settings: Settings,
  options: ChangeOptions,
  begun?: Begun,
): Promise<RemoteChangeset> {
  const { env } = world;
  // The code for GitHub is loaded only if it is needed.
  if (options.pr !== undefined) {
    const clone = await opening.catch(noClone);
    return (await import("./github.js")).readPullRequest(
      env,
      clone,
      options.pr,
    );
  }
  const repository = await opening;
  const { base, head, since, filesFrom } = options;
  if (filesFrom !== undefined)
    return inClone(await readList(world, repository, filesFrom));
  const isNamed =
    base !== undefined || head !== undefined || since !== undefined;
  const { engine, event } = ciOf(env);
  const isEvent = event.kind === "variables" || event.path !== "";
  if (engine !== undefined && isEvent && !isNamed)
    return (await import("./github.js")).readEvent(env, repository, options);
  const green =
    base === "last-green"
      ? await (
          await import("./github.js")
        ).findLastGreen(env, repository, settings)
      : undefined;
  const from = green ?? since;
  return inClone(
    await readGitChangeset(repository, {
      // A green commit itself is the base, not a merge base: all later changes count.
      ...(from !== undefined
        ? { since: from }
        : base !== undefined && { base }),
      ...(head !== undefined && { head }),
      workingTree: !options.committed,
      deepen: options.deepen,
      begun,
      keepIn: cacheDirOf(env, repository),
      onMissingBase: options.fallback === "all" ? "everything" : "error",
      ...(settings.defaultBranch !== undefined && {
        defaultBranch: settings.defaultBranch,
      }),
    }),
  );
}

function inClone(changeset: Changeset): RemoteChangeset {
  return { changeset, treeAt: undefined };
}

function noClone(error: unknown): undefined {
  if (error instanceof RepositoryError) return undefined;
  throw error;
}

async function readList(
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
    throw usageFailure(`the list of changed files, ${file}, cannot be read`, {
      hint: (error as Error).message,
      cause: error,
    });
  }
}
