import { statSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.js";
import { splitNul } from "./split-nul.js";
import { parseStatusV2, STATUS_ARGS, untracked } from "./status-v2.js";
import type { Status } from "./status-v2.js";

/** Bytes of an index from which on two processes are quicker than one: some 6,000 files. */
const LARGE = 500_000;

/**
 * Asks for the state of the working tree. In a large one, git looks for changed files and for new ones in two processes
 * at once; they see the same index, or the question is asked again.
 * @param git at the top level
 * @param gitDir the worktree's git folder
 */
export async function readStatus(git: Git, gitDir: string): Promise<Status> {
  const index = () => indexState(git, gitDir);
  const before = index();
  if (before === undefined || before.size < LARGE) return askAtOnce(git);
  const [others, tracked] = await Promise.all([
    git.run(["ls-files", "-z", "--others", "--exclude-standard"]),
    git.run([...STATUS_ARGS, "--untracked-files=no"]), // The last one counts.
  ]);
  // What was staged meanwhile is not new to the one, and was not tracked yet to the other.
  if (index()?.id !== before.id) return askAtOnce(git);
  const { head, entries } = parseStatusV2(tracked.stdout);
  return {
    head,
    entries: [...entries, ...[...splitNul(others.stdout)].map(untracked)],
  };
}

async function askAtOnce(git: Git): Promise<Status> {
  return parseStatusV2((await git.run(STATUS_ARGS)).stdout);
}

/** Git replaces the index by another file. Undefined where it is somewhere else, or not there. */
function indexState(
  { env }: Git,
  gitDir: string,
): { readonly size: number; readonly id: string } | undefined {
  if (env["GIT_INDEX_FILE"]) return undefined;
  const stat = statSync(join(gitDir, "index"), {
    bigint: true,
    throwIfNoEntry: false,
  });
  return (
    stat && {
      size: Number(stat.size),
      id: `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`,
    }
  );
}
