import { join } from "node:path";
import { fileState } from "./file-state.js";
import type { Git } from "../git.js";
import { readKeptStatus } from "./kept-status.js";
import {
  OTHERS_ARGS,
  parseOthers,
  parseStatusV2,
  STATUS_ARGS,
} from "./status-v2.js";
import type { Status } from "./status-v2.js";
import { readUnchecked } from "./unchecked-changes.js";

/** The size of an index, in bytes, from which a plain `git status` is not the fastest way: some 6,000 files. */
const LARGE = 500_000;

/** The folders of the worktree and of the cache. */
export interface StatusPlace {
  /** The worktree's git folder. */
  readonly gitDir: string;
  /** The git folder that all worktrees share. */
  readonly commonDir: string;
  /** The folder for the copy of a large index (`readKeptStatus`). Default: no copy. */
  readonly keepIn?: string | undefined;
}

/**
 * Reads the state of the working tree. With a large index it uses git's untracked cache if possible. Otherwise it looks
 * for changed files and for new files in two parallel processes. If the index changes in the meantime, it runs one plain
 * `git status`. Changed files that git is configured not to check are listed too.
 * @param git at the top level
 */
export async function readStatus(
  git: Git,
  { gitDir, commonDir, keepIn }: StatusPlace,
): Promise<Status> {
  // Undefined if the index is at another path or doesn't exist.
  const index = () =>
    git.env["GIT_INDEX_FILE"] ? undefined : fileState(join(gitDir, "index"));
  const before = index();
  if (before === undefined || before.size < LARGE)
    return withUnchecked(askAtOnce(git), git, gitDir);
  const kept =
    keepIn === undefined
      ? undefined
      : await readKeptStatus(git, before, { gitDir, commonDir, keepIn });
  // An index with files that git must not check has no copy.
  const status = kept ?? (await withUnchecked(askTwice(git), git, gitDir));
  // If a file was staged between the two, one process saw it as tracked and the other did not see it staged yet.
  return index()?.id === before.id
    ? status
    : withUnchecked(askAtOnce(git), git, gitDir);
}

/** Adds changed files that git is configured not to check to its answer. */
async function withUnchecked(
  asking: Promise<Status>,
  git: Git,
  gitDir: string,
): Promise<Status> {
  const [status, unchecked] = await Promise.all([
    asking,
    readUnchecked(git, gitDir),
  ]);
  if (unchecked.length === 0) return status;
  const known = new Set(status.entries.map(({ path }) => path));
  // In a sparse checkout, git itself checks the files that exist.
  const added = unchecked.filter(({ path }) => !known.has(path));
  return { ...status, entries: [...status.entries, ...added] };
}

async function askTwice(git: Git): Promise<Status> {
  const [others, tracked] = await Promise.all([
    git.run(OTHERS_ARGS),
    git.run([...STATUS_ARGS, "--untracked-files=no"]), // Overrides the same option in STATUS_ARGS.
  ]);
  const { head, entries } = parseStatusV2(tracked.stdout);
  return { head, entries: [...entries, ...parseOthers(others.stdout)] };
}

async function askAtOnce(git: Git): Promise<Status> {
  return parseStatusV2(
    (await git.run(STATUS_ARGS, { isQuestion: true })).stdout,
  );
}
