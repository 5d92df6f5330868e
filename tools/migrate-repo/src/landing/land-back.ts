import { mkdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Git } from "@skein/git";
import { prepareRefs } from "@skein/git/ref-transaction";
import { Failure, some } from "@skein/reporting";
import type { TargetFacts } from "../survey/target.js";
import { exists, moveFile, placeNew, settleHalf } from "./file-moves.js";
import { changeIndex, readChanges } from "./index-back.js";
import type { AllEntries } from "./index-changes.js";
import { lockIndex, unlockIndex } from "./index-file.js";
import type { FileMove, Landing } from "./journal.js";
import { judgeBack, type Back } from "./judge-back.js";
import { movesFiles } from "./land.js";
import { isWhole, releaseObjects, removeObjects } from "./land-objects.js";
import {
  belowAny,
  differing,
  isMade,
  obstacles,
  pathOf,
  readLandingProgress,
  unknownFiles,
  type LandingProgress,
} from "./landing-progress.js";

export interface BackOptions {
  /** Called with the name of each step before the step; a test stops there. */
  readonly checkpoint: (step: string) => void;
  /** Whether files that the user has changed stay. Otherwise they are an error if `continue` can finish the landing. */
  readonly leaveEdited: boolean;
}

/** One file to roll back, and the move that made it. */
interface Judged {
  readonly path: string;
  readonly move: FileMove;
  readonly back: Back;
}

/**
 * Rolls back a landing, wherever it was killed. It changes index, refs and files only where they are still as the
 * landing left them. If this is killed in turn, the state is one that a killed `landForward` could have left.
 * @returns files that stay, because the user has changed, staged or committed them since
 * @throws {Failure} if the branch has moved on since, or if files were changed that `continue` would keep; nothing has
 * moved then
 */
export async function landBack(
  target: TargetFacts,
  landing: Landing,
  { checkpoint, leaveEdited }: BackOptions,
): Promise<readonly string[]> {
  const { git } = target;
  const { index } = landing;
  for (const move of landing.moves) await settleHalf(move);
  const progress = await readLandingProgress(git, landing);
  if (progress.branch === "beyond" && movesFiles(landing))
    throw new Failure(
      "the migration has landed, and the branch has new commits",
      { hint: "migrate-repo continue" },
    );
  const wroteFiles = progress.started || progress.index === "prepared";
  const locks = movesFiles(landing) && (wroteFiles || progress.made.length > 0);
  if (locks) await lockIndex(index);
  else await unlockIndex(index);
  try {
    const isOurs = hasOurIndex(progress);
    const read = locks ? await readChanges(git, landing, isOurs) : undefined;
    const { files, unknown } = read
      ? await judgeAll(git, landing, read.entries, isOurs)
      : { files: [], unknown: [] };
    if (!leaveEdited)
      await assertNothingLost(git, landing, progress, [
        ...files.filter(({ back }) => back === "edited").map(pathOfJudged),
        ...unknown,
      ]);
    if (read) {
      checkpoint("back-index");
      const isWhole = isOurs && progress.index === "prepared";
      await changeIndex(git, landing, isWhole, read.changes);
    }
    checkpoint("back-refs");
    await moveRefsBack(git, progress);
    checkpoint("back-files");
    await moveFilesBack(landing, files, unknown);
    checkpoint("back-objects");
    const scratch = dirname(index.prepared);
    await removeObjects(git, landing, target.objects, scratch);
    await releaseObjects(landing);
    return [
      ...files
        .filter(({ back }) => back === "edited" || back === "taken-over")
        .map(pathOfJudged),
      ...unknown,
    ];
  } finally {
    await unlockIndex(index);
  }
}

/** Judges every file of the moves that have been made. */
async function judgeAll(
  git: Git,
  landing: Landing,
  { before, after, now }: AllEntries,
  isOurs: boolean,
): Promise<{
  readonly files: readonly Judged[];
  readonly unknown: readonly string[];
}> {
  const made = [];
  for (const move of landing.moves) if (await isMade(move)) made.push(move);
  const paths = made.map((move) => pathOf(move, landing));
  const [fromNew, fromOld, others] = await Promise.all([
    differing(git, landing, landing.index.prepared, paths),
    differing(git, landing, landing.index.before, paths),
    unknownFiles(
      git,
      landing,
      landing.index.prepared,
      made
        .filter(({ kind }) => kind === "place")
        .map((move) => pathOf(move, landing)),
    ),
  ]);
  const known = new Set([...before.keys(), ...after.keys()]);
  const moveOf = finder(made, landing);
  const files: Judged[] = [];
  for (const path of known) {
    const [old, next] = [before.get(path), after.get(path)];
    const move = old === next ? undefined : moveOf(path);
    if (!move) continue;
    const state = !(await exists(join(landing.topLevel, path)))
      ? "gone"
      : next !== undefined && !fromNew.has(path)
        ? "new"
        : old !== undefined && !fromOld.has(path)
          ? "old"
          : "other";
    const back = judgeBack(
      { old, new: next, now: now.get(path), file: state },
      isOurs,
    );
    files.push({ path, move, back });
  }
  return { files, unknown: others.filter((path) => !known.has(path)) };
}

/** Returns a function that finds the move of a path: its own, or that of a folder above it. */
function finder(
  moves: readonly FileMove[],
  landing: Landing,
): (path: string) => FileMove | undefined {
  const byPath = new Map(moves.map((move) => [pathOf(move, landing), move]));
  return (path) => {
    for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) {
      const move = byPath.get(path.slice(0, at));
      if (move) return move;
    }
    return undefined;
  };
}

function pathOfJudged({ path }: Judged): string {
  return path;
}

/**
 * Returns whether the index belongs to a commit that is rolled back with it. If the branch has moved on, the index is
 * the user's.
 */
function hasOurIndex({ branch, onBranch, index }: LandingProgress): boolean {
  return (
    onBranch && (branch === "new" || (branch === "old" && index === "prepared"))
  );
}

/**
 * Throws if rolling back would leave the user's changes in the landing's files untracked and `continue` could keep
 * them.
 */
async function assertNothingLost(
  git: Git,
  landing: Landing,
  { branch, onBranch }: LandingProgress,
  edited: readonly string[],
): Promise<void> {
  if (edited.length === 0 || branch === "elsewhere" || !onBranch) return;
  if ((await obstacles(git, landing)).length > 0) return;
  if (!(await isWhole(git, landing))) return;
  throw new Failure(`aborting would lose changes made since: ${some(edited)}`, {
    hint: "finish with `migrate-repo continue`, or move those files away first",
  });
}

async function moveRefsBack(
  git: Git,
  { made }: LandingProgress,
): Promise<void> {
  if (made.length === 0) return;
  const back = await prepareRefs(
    git,
    made.map((update) => ({
      ref: update.ref,
      old: update.new,
      new: update.old,
    })),
    "migrate-repo: abort",
  );
  await back.commit();
}

/** Moves whole folders back if nothing in them has to stay; otherwise moves file by file. */
async function moveFilesBack(
  landing: Landing,
  files: readonly Judged[],
  unknown: readonly string[],
): Promise<void> {
  const byMove = new Map<FileMove, Judged[]>();
  for (const file of files)
    byMove.set(file.move, [...(byMove.get(file.move) ?? []), file]);
  const holdsUnknown = belowAny(unknown.flatMap(foldersOf));
  for (const [move, own] of [...byMove].reverse()) {
    const whole =
      move.kind === "place" &&
      own.every(({ back }) => back === "remove") &&
      !holdsUnknown(pathOf(move, landing));
    if (whole) await moveFile(move.path, move.staged);
    else for (const one of own) await moveFileBack(landing, one);
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

async function moveFileBack(
  landing: Landing,
  { path, move, back }: Judged,
): Promise<void> {
  if (back !== "remove" && back !== "restore") return;
  const file = join(landing.topLevel, path);
  if (move.kind !== "remove" && (await exists(file))) {
    const away = `${move.staged}${file.slice(move.path.length)}`;
    await mkdir(dirname(away), { recursive: true });
    await moveFile(file, away);
    await removeEmptyFolders(landing, dirname(file));
  }
  if (back === "restore" && move.kind !== "place") {
    await mkdir(dirname(file), { recursive: true });
    await placeNew(move.backup, file);
  }
}

async function removeEmptyFolders(
  { topLevel }: Landing,
  from: string,
): Promise<void> {
  for (let at = from; at !== topLevel; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}
