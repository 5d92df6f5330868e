import { rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import {
  GitError,
  prepareRefs,
  type Git,
  type PreparedRefs,
  type RefUpdate,
} from "@skein/git";
import { Failure, printable } from "@skein/reporting";
import type { TargetFacts } from "../survey/target.js";
import { lookAt, moveForward } from "./file-moves.js";
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
  isThere,
  obstacles,
  pathOf,
  readIndexState,
  readStanding,
  type Standing,
} from "./standing.js";

export interface LandOptions {
  /** Called with the name of each step before it; a test stops there. */
  readonly checkpoint: (step: string) => void;
  /** Whether `git gc` may have taken objects away since the migration began. */
  readonly mayLackObjects: boolean;
}

/**
 * Lands: objects first (nobody sees them), then, with all refs and the index locked, the files, the refs and the index,
 * each by renaming what is ready. Between two steps, and within one, a kill leaves a state that `landForward` and
 * `landBack` both know; each step is done only as far as it has not been done. What the user did since stays.
 * @throws {Failure} when the workspace has changed meanwhile
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
  const first = await readStanding(git, landing);
  const refs = await lockRefs(git, landing, first);
  try {
    checkpoint("lock");
    if (movesFiles(landing) && first.branch !== "beyond")
      await landFiles(git, landing, first, checkpoint);
    checkpoint("refs");
  } catch (error) {
    // Its locks would keep the way back, and whatever this process does next, from the refs and the index.
    await refs.abort();
    await unlockIndex(landing.index);
    throw error;
  }
  try {
    await refs.commit();
  } catch (error) {
    // All were locked by this git: where it was killed, nobody else removes them.
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

/** A landing of refs alone does not concern the index. */
export function movesFiles({ oldHead, newHead, moves }: Landing): boolean {
  return oldHead !== newHead || moves.length > 0;
}

/** Locks what is still to move. @throws {Failure} when a ref has another value by now */
async function lockRefs(
  git: Git,
  landing: Landing,
  { made, branch: stand }: Standing,
): Promise<PreparedRefs> {
  const { refs, branch, message } = landing;
  const isIn = (ref: string) => refs.some((update) => update.ref === ref);
  if (stand === "elsewhere" && isIn(branch))
    throw new Failure(`${nameOf(branch)} has moved on meanwhile`);
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
  return new Failure(
    "git has collected its garbage meanwhile, and objects with it that the migration needs",
  );
}

/** Git names the ref in quotes, whatever stands in its way. */
function whyNotLocked(error: GitError, updates: readonly RefUpdate[]): Failure {
  const ref = updates.find(({ ref }) => error.stderr.includes(`'${ref}'`))?.ref;
  const name = ref === undefined ? "a ref" : nameOf(ref);
  const [, lock, why] = /'([^']*\.lock)': (.*)/.exec(error.stderr) ?? [];
  if (lock === undefined)
    return new Failure(`${name} was changed meanwhile`, { cause: error });
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

function nameOf(ref: string): string {
  return printable(ref.replace(/^refs\/(?:heads|tags)\//, ""));
}

async function landFiles(
  git: Git,
  landing: Landing,
  first: Standing,
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
 * Files that are about to be replaced must be as the plan found them. If the landing has begun already, the index may
 * hold more by now: see `writeIndex`.
 */
async function assertUntouched(
  git: Git,
  landing: Landing,
  { started, branch }: Standing,
): Promise<void> {
  const index = await readIndexState(landing);
  const isAtBranch =
    (await isOnBranch(git, landing)) ||
    // A branch that the user has made of the new commit lacks nothing but the index.
    (branch === "new" && (await isAtNewHead(git, landing)));
  if (!isAtBranch)
    throw new Failure(`${nameOf(landing.branch)} is not checked out any more`, {
      hint: `git switch ${nameOf(landing.branch)}`,
    });
  const changed = await obstacles(git, landing);
  if (changed.length > 0)
    throw new Failure(
      `the workspace was changed while the migration was prepared: ${someOf(changed)}`,
      { hint: "commit or stash what you changed" },
    );
  if (index !== "before" && !started && branch === "old")
    throw new Failure(
      "the workspace was changed while the migration was prepared",
      { hint: "commit or stash what you changed" },
    );
}

/** Returns some paths, for a sentence. */
export function someOf(paths: readonly string[]): string {
  return paths.slice(0, 5).map(printable).join(", ");
}

/** Brings the index to the new commit. Entries that the user has changed since the landing began stay. */
async function writeIndex(git: Git, landing: Landing): Promise<void> {
  const { index } = landing;
  const stand = await readIndexState(landing);
  if (stand === "before") await replaceIndex(index, index.prepared);
  if (stand !== "other") return;
  const changes = changesForward(await readAll(git, landing));
  await replaceIndex(index, await changedIndex(git, landing, changes));
}

/**
 * Writes files anew that are gone, or as they were before the landing: between a kill and `continue` somebody may have put
 * them away (`git stash`, `git clean`). What differs from both stays.
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
    if (isOld || !(await isThere(landing, path))) lost.push(path);
  }
  const quiet = await withoutFilters(git, git);
  await quiet.run(["checkout-index", "--force", "-u", "-z", "--stdin"], {
    input: lost.map((path) => `${path}\0`).join(""),
    env: { GIT_INDEX_FILE: index.prepared },
  });
}

/** As git does: a folder goes with its last file. */
async function removeEmptied({ moves, topLevel }: Landing): Promise<void> {
  const folders = new Set<string>();
  for (const { kind, path } of moves) {
    if (kind !== "remove") continue;
    for (let at = dirname(path); at !== topLevel; at = dirname(at))
      folders.add(at);
  }
  // Those within first; one that holds something else stays.
  for (const folder of [...folders].sort().reverse())
    await rmdir(folder).catch(() => undefined);
}
