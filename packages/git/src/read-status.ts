import { join } from "node:path";
import { fileState } from "./file-state.js";
import type { Git } from "./git.js";
import { readKeptStatus } from "./kept-status.js";
import {
  OTHERS_ARGS,
  parseOthers,
  parseStatusV2,
  STATUS_ARGS,
} from "./status-v2.js";
import type { Status } from "./status-v2.js";

/** Bytes of an index from which on more than one plain `git status` is worth its while: some 6,000 files. */
const LARGE = 500_000;

/** Where to ask. */
export interface StatusPlace {
  /** The worktree's git folder. */
  readonly gitDir: string;
  /** The git folder of all worktrees. */
  readonly commonDir: string;
  /** Where a copy of a large index may be kept (`readKeptStatus`); left out: nowhere. */
  readonly keepIn?: string | undefined;
}

/**
 * Asks for the state of the working tree. In a large one, git remembers what it found where it may, else it looks for
 * changed files and for new ones in two processes at once; all see the same index, or the question is asked again.
 * @param git at the top level
 */
export async function readStatus(
  git: Git,
  { gitDir, commonDir, keepIn }: StatusPlace,
): Promise<Status> {
  // Undefined where it is somewhere else, or not there.
  const index = () =>
    git.env["GIT_INDEX_FILE"] ? undefined : fileState(join(gitDir, "index"));
  const before = index();
  if (before === undefined || before.size < LARGE) return askAtOnce(git);
  const kept =
    keepIn === undefined
      ? undefined
      : await readKeptStatus(git, before, { gitDir, commonDir, keepIn });
  const status = kept ?? (await askTwice(git));
  // A file that was staged meanwhile is not new to one process, and was not tracked yet to the other.
  return index()?.id === before.id ? status : askAtOnce(git);
}

async function askTwice(git: Git): Promise<Status> {
  const [others, tracked] = await Promise.all([
    git.run(OTHERS_ARGS),
    git.run([...STATUS_ARGS, "--untracked-files=no"]), // The last one counts.
  ]);
  const { head, entries } = parseStatusV2(tracked.stdout);
  return { head, entries: [...entries, ...parseOthers(others.stdout)] };
}

async function askAtOnce(git: Git): Promise<Status> {
  return parseStatusV2(
    (await git.run(STATUS_ARGS, { isQuestion: true })).stdout,
  );
}
