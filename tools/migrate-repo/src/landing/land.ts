import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  GitError,
  type Git,
  type PreparedRefs,
  type RefUpdate,
} from "@skein/git";
import { prepareRefs } from "@skein/git/ref-transaction";
import { Failure, printable, some } from "@skein/reporting";
import type { TargetFacts } from "../survey/target.js";
import { shortRef } from "../words/problem-words.js";
import { exists, lookAt, moveForward } from "./file-moves.js";
import {
  changedIndex,
  lockIndex,
  readAll,
  readEntries,
  replaceIndex,
  unlockIndex,
} from "./index-file.js";
import { changesForward } from "./index-changes.js";
import type { Landing } from "./journal.js";
import { isWhole, moveObjects, releaseObjects } from "./land-objects.js";
import { withoutFilters } from "./stage.js";
import { removeStaleLocks } from "./stale-locks.js";
import {
  differing,
  isAtNewHead,
  isOnBranch,
  obstacles,
  pathOf,
  readIndexState,
  readLandingProgress,
  type LandingProgress,
} from "./landing-progress.js";

export interface LandOptions {
  /** Called with the name of each step before the step; a test stops there. */
  readonly checkpoint: (step: string) => void;
  /** Whether `git gc` may have removed objects since the migration began. */
  readonly mayLackObjects: boolean;
}

/**
 * Lands a migration. Objects go first, as nothing refers to them. Then, with all refs and the index locked, the files,
 * the refs and the index follow, each by renaming prepared files. A kill at any time leaves a state that `landForward`
 * and `landBack` both recognise; each step does only the part that isn't done yet. Changes that the user made since
 * stay.
 * @throws {Failure} if the workspace has changed in the meantime
 */
export async function landForward(
  target: TargetFacts,
  landing: Landing,
  { checkpoint, mayLackObjects }: LandOptions,
): Promise<void> {
  const { git } = target;
  checkpoint("objects");
  await moveObjects(landing);
  if (mayLackObjects && !(await isWhole(git, landing))) throw objectsGone();
  checkpoint("prepare");
  const first = await readLandingProgress(git, landing);
  const refs = await lockRefs(git, landing, first);
  try {
    checkpoint("lock");
    if (movesFiles(landing) && first.branch !== "beyond")
      await landFiles(git, landing, first, checkpoint);
    checkpoint("refs");
  } catch (error) {
    // The locks would keep `landBack`, and the rest of this process, from the refs and the index.
    await refs.abort();
    await unlockIndex(landing.index);
    throw error;
  }
  try {
    await refs.commit();
  } catch (error) {
    // This git process held all locks: if it was killed, nothing else removes them.
    await removeStaleLocks(target, landing);
    throw error;
  }
  checkpoint("index");
  if (movesFiles(landing)) {
    if (first.branch !== "beyond") {
      if (first.started) await restoreLost(git, landing);
      await writeIndex(git, landing);
    }
    await unlockIndex(landing.index);
    await removeEmptied(landing);
  }
  await releaseObjects(landing);
  checkpoint("done");
}

/** Returns whether a landing touches files or the index. One that only moves refs doesn't. */
export function movesFiles({ oldHead, newHead, moves }: Landing): boolean {
  return oldHead !== newHead || moves.length > 0;
}

/** Locks the refs that still have to move. @throws {Failure} if a ref has another value by now */
async function lockRefs(
  git: Git,
  landing: Landing,
  { made, branch: stand }: LandingProgress,
): Promise<PreparedRefs> {
  const { refs, branch, message } = landing;
  const isIn = (ref: string) => refs.some((update) => update.ref === ref);
  if (stand === "elsewhere" && isIn(branch))
    throw new Failure(`${shortRef(branch)} got new commits in the meantime`);
  const left = refs.filter(
    (update) =>
      !made.includes(update) && !(stand === "beyond" && update.ref === branch),
  );
  try {
    return await prepareRefs(git, left, message);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw (await isWhole(git, landing))
      ? whyNotLocked(error, left)
      : objectsGone();
  }
}

function objectsGone(): Failure {
  return new Failure("git gc has removed objects that the migration needs");
}

/** Returns why refs could not be locked. Git's message names the ref in quotes, whatever the cause. */
function whyNotLocked(error: GitError, updates: readonly RefUpdate[]): Failure {
  const ref = updates.find(({ ref }) => error.stderr.includes(`'${ref}'`))?.ref;
  const name = ref === undefined ? "a ref" : shortRef(ref);
  const [, lock, why] = /'([^']*\.lock)': (.*)/.exec(error.stderr) ?? [];
  if (lock === undefined)
    return new Failure(`${name} was changed in the meantime`, { cause: error });
  return why === "File exists."
    ? new Failure(`another git process has locked ${name}`, {
        hint: `wait for it (if none is running, remove ${printable(lock)})`,
        cause: error,
      })
    : new Failure(`git cannot write ${printable(lock)}: ${why ?? ""}`, {
        hint: "give write access to it",
        cause: error,
      });
}

async function landFiles(
  git: Git,
  landing: Landing,
  first: LandingProgress,
  checkpoint: (step: string) => void,
): Promise<void> {
  await lockIndex(landing.index);
  const seen = await lookAt(landing.moves);
  await assertUntouched(git, landing, first);
  for (const move of landing.moves) {
    checkpoint("files");
    await moveForward(move, seen);
  }
}

/**
 * Checks that the files to replace are as the plan found them. If the landing has already started, the index may hold
 * more by now: see `writeIndex`.
 */
async function assertUntouched(
  git: Git,
  landing: Landing,
  { started, branch }: LandingProgress,
): Promise<void> {
  const index = await readIndexState(landing);
  const isAtBranch =
    (await isOnBranch(git, landing)) ||
    // If the user has made a branch of the new commit, only the index is missing there.
    (branch === "new" && (await isAtNewHead(git, landing)));
  if (!isAtBranch)
    throw new Failure(`${shortRef(landing.branch)} is no longer checked out`, {
      hint: `git switch ${shortRef(landing.branch)}`,
    });
  const changed = await obstacles(git, landing);
  if (changed.length > 0)
    throw new Failure(
      `the workspace was changed while the migration was prepared: ${some(changed)}`,
      { hint: "commit or stash what you changed" },
    );
  if (index !== "before" && !started && branch === "old")
    throw new Failure(
      "the workspace was changed while the migration was prepared",
      { hint: "commit or stash what you changed" },
    );
}

/** Updates the index to the new commit. Entries that the user has changed since the landing began stay. */
async function writeIndex(git: Git, landing: Landing): Promise<void> {
  const { index } = landing;
  const stand = await readIndexState(landing);
  if (stand === "before") await replaceIndex(index, index.prepared);
  if (stand !== "other") return;
  const changes = changesForward(await readAll(git, landing));
  await replaceIndex(index, await changedIndex(git, landing, changes));
}

/**
 * Rewrites files that are missing, or that are as they were before the landing: between a kill and `continue` someone
 * may have put them away (`git stash`, `git clean`). A file that differs from both stays.
 */
async function restoreLost(git: Git, landing: Landing): Promise<void> {
  const { index, moves } = landing;
  const paths = moves.map((move) => pathOf(move, landing));
  const differ = await differing(git, landing, index.prepared, paths);
  if (differ.size === 0) return;
  const edited = await differing(git, landing, index.before, [...differ]);
  const before = await readEntries(git, landing, index.before);
  const lost = [];
  for (const path of differ) {
    const isOld = before.has(path) && !edited.has(path);
    if (isOld || !(await exists(join(landing.topLevel, path)))) lost.push(path);
  }
  const quiet = await withoutFilters(git, git);
  await quiet.run(["checkout-index", "--force", "-u", "-z", "--stdin"], {
    input: lost.map((path) => `${path}\0`).join(""),
    env: { GIT_INDEX_FILE: index.prepared },
  });
}

/** Removes the folders that have become empty, as git does. */
async function removeEmptied({ moves, topLevel }: Landing): Promise<void> {
  const folders = new Set<string>();
  for (const { kind, path } of moves) {
    if (kind !== "remove") continue;
    for (let at = dirname(path); at !== topLevel; at = dirname(at))
      folders.add(at);
  }
  // Inner folders first. `rmdir` fails for a folder that isn't empty, which stays.
  for (const folder of [...folders].sort().reverse())
    await rmdir(folder).catch(() => undefined);
}
